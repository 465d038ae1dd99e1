/** The style that all pages share: the reader's own fonts, and light or dark as the reader's system is. */
export const baseStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --quiet: #57606a; --line: #8c959f; --act: #0b57d0; --on-act: #ffffff;
  --warn: #9a1b1b; --soft: #f3f5f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #11151a; --quiet: #a5b0bc; --line: #6e7883; --act: #8ab4ff; --on-act: #0b1220; --warn: #ffb3ab; --soft: #1c222a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
.quiet { color: var(--quiet); }
`

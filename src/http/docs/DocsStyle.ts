import { baseStyle } from "../page/BaseStyle.ts"

/** The style of the documentation pages: contents beside the text on a wide screen, above it on a phone. */
export const docsStyle = `${baseStyle}
header, main, nav { padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; padding-top: .75rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
h2, h3 { scroll-margin-top: 1rem; }
dl[id] { scroll-margin-top: 4rem; }
p { margin: .5rem 0; }
p, li, dd, dt, summary, td { overflow-wrap: anywhere; }
code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .88em; }
code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--soft); border-radius: .4rem; padding: .75rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; }
nav ul ul { display: none; }
nav a { display: inline-block; padding: .35rem 0; }
ol.loop { padding: 0; margin: 0; list-style: none; }
ol.loop > li { border: 1px solid var(--line); border-radius: .6rem; padding: .25rem 1rem .75rem; margin: 1rem 0; }
ol.loop h3 { margin-top: .75rem; }
.route { font-weight: 600; }
.method { display: inline-block; min-width: 3.2rem; color: var(--quiet); font-weight: 700; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: 0 .75rem; }
details[open] { padding-bottom: .75rem; }
summary { cursor: pointer; font-weight: 600; padding: .6rem 0; min-height: 2.75rem; }
dl { margin: .25rem 0; }
dt { margin-top: .6rem; }
dd { margin: 0 0 0 1rem; }
dd > dl { border-left: 2px solid var(--line); padding-left: .75rem; }
dd p { margin: .15rem 0; }
.type, .need { color: var(--quiet); font-size: .9rem; }
label { display: block; font-weight: 600; margin: .75rem 0 .25rem; }
input, select, textarea, button { font: inherit; color: inherit; width: 100%; padding: .6rem .7rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--paper); }
textarea { min-height: 9rem; resize: vertical; font-family: ui-monospace, monospace; font-size: .88rem; }
button { width: auto; min-height: 2.75rem; padding: .5rem 1.5rem; margin: .75rem 0 0; cursor: pointer; font-weight: 600;
  background: var(--act); color: var(--on-act); border-color: var(--act); }
button:disabled { opacity: .6; cursor: default; }
.problem { color: var(--warn); font-weight: 600; margin: .35rem 0 0; }
.problem:empty { margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
:target { outline: 2px solid var(--act); outline-offset: 4px; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: grid; grid-template-columns: 2.5rem 1fr auto; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem .5rem .1rem 0; }
  td:last-child { grid-column: 1 / -1; }
  button { width: 100%; }
  dd { margin-left: .5rem; }
}
@media (min-width: 64rem) {
  .page { display: grid; grid-template-columns: 17rem minmax(0, 60rem); gap: 1rem 2rem; max-width: 82rem; margin: 0 auto; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; align-self: start; padding-top: 1rem; padding-bottom: 1rem; }
  nav ul, nav ul ul { display: block; }
  nav ul ul { padding-left: .9rem; font-size: .92rem; }
  main { padding-bottom: 6rem; }
  td code, td:nth-child(3) { white-space: nowrap; }
  main > section:first-child h2 { margin-top: 1rem; }
  nav a { padding: .15rem 0; }
}
`

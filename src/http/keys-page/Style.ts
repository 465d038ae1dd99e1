import { baseStyle } from "../page/BaseStyle.ts"

/** How the page looks: one column, also on a phone. */
export const style = `${baseStyle}
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
section { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1.25rem 0; }
section[hidden] { display: none; }
section.fresh { border: 2px solid var(--act); }
h3 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
h4 { font-size: 1rem; margin: 0 0 .35rem; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin: .75rem 0 .25rem; }
input, select, textarea, button { font: inherit; color: inherit; width: 100%; padding: .6rem .7rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--paper); }
textarea, .mono { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
textarea { min-height: 7rem; resize: vertical; }
#key { min-height: 3.5rem; resize: none; }
button { width: auto; min-height: 2.75rem; padding: .5rem 1rem; margin: .75rem .5rem 0 0; cursor: pointer; font-weight: 600; }
button.act { background: var(--act); color: var(--on-act); border-color: var(--act); }
button.end { color: var(--warn); border-color: var(--warn); }
button:disabled { opacity: .6; cursor: default; }
.note { background: var(--soft); border-radius: .4rem; padding: .75rem; margin: .75rem 0 0; }
.hint { margin: .25rem 0 0; font-size: .9rem; }
.problem { color: var(--warn); font-weight: 600; margin: .35rem 0 0; }
.problem:empty { margin: 0; }
[aria-invalid] { border-color: var(--warn); border-width: 2px; }
ul { list-style: none; margin: 1rem 0 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: .9rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .35rem; } button { width: 100%; margin-right: 0; } }
`

import { style } from "../keys-page/Style.ts"

/** How the pages for people look: as the page of keys, with what they need beside. */
export const pageStyle = `${style}
main { max-width: 64rem; }
section p, section li { overflow-wrap: anywhere; }
h2 { scroll-margin-top: 3.5rem; }
section > p:first-of-type { margin-top: 0; }
.panels { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; }
.panels > div { border: 1px solid var(--line); border-radius: .6rem; padding: .9rem; min-width: 0; }
.panels h3, fieldset h3 { margin: 0 0 .5rem; }
.panels ul, .panels ol, .plain { margin: 0; padding: 0; list-style: none; }
.panels li, .plain li { padding: .45rem 0; overflow-wrap: anywhere; }
.panels li:first-child, .plain li:first-child { border-top: 0; }
.panels dl { grid-template-columns: 1fr; }
.panels dd { margin-bottom: .5rem; }
#status { position: sticky; top: 0; z-index: 1; background: var(--paper); margin: 0; padding: .5rem 0; }
#status:empty { padding: 0; }
.amount { font-weight: 600; }
.big { font-size: 1.5rem; font-weight: 600; line-height: 1.2; }
fieldset { border: 1px solid var(--line); border-radius: .6rem; margin: 1rem 0 0; padding: .9rem; min-width: 0; }
legend { float: left; width: 100%; font-weight: 600; padding: 0; overflow-wrap: anywhere; }
legend + * { clear: both; }
div:not(:has(> .choice input:checked)) > .need { display: none; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: .1rem .6rem; padding: .5rem 0; align-items: start; font-weight: 400; margin: 0; }
.choice input { width: 1.4rem; height: 1.4rem; margin: .1rem 0 0; }
.choice small { grid-column: 2; color: var(--quiet); font-size: .9rem; overflow-wrap: anywhere; }
.choice b { overflow-wrap: anywhere; }
.choice .loses { color: var(--warn); font-weight: 600; }
.warn { color: var(--warn); font-weight: 600; }
.danger { border: 2px solid var(--warn); border-radius: .6rem; padding: .75rem; margin: .75rem 0; color: var(--warn); font-weight: 600; }
.steps > li { display: block; }
.exact { white-space: pre-wrap; }
.hash { overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .85rem; }
.qr { display: block; background: #ffffff; padding: .75rem; width: 15rem; max-width: 100%; height: auto; image-rendering: pixelated; margin: .75rem 0 0; }
summary { cursor: pointer; padding: .6rem 0; min-height: 2.75rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
a.button { display: inline-block; min-height: 2.75rem; padding: .5rem 1rem; margin: .75rem .5rem 0 0; border: 1px solid var(--line); border-radius: .4rem;
  font-weight: 600; }
@media (max-width: 48rem) { .panels { grid-template-columns: 1fr; } }
@media print { section:not(#receipt), #intro, button, form, details, #status, .noprint { display: none; } section { border: 0; padding: 0; } body { color: #000000; background: #ffffff; } }
`

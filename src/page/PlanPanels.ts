import { brief, briefLumens } from "../client/BriefAmount.ts"
import type { Plan } from "../client/CloseEvent.ts"
import { el } from "./Dom.ts"

type Value = Plan["steps"][number]["pays"][number]

/** An amount with its name: the code of an asset, else what the token calls itself, else its address. */
export const shownValue = ({ amount, asset, lumens, symbol, token }: Value): string => {
  const name = asset === "native" ? "lumens" : symbol ?? asset ?? token ?? ""
  return `${brief(amount)} ${name}${lumens === null || asset === "native" ? "" : ` (now ${briefLumens(lumens)})`}`
}

const listOr = (items: ReadonlyArray<HTMLElement>, none: string): HTMLElement =>
  items.length === 0 ? el("p", { class: "quiet" }, none) : el("ul", {}, ...items)

const item = (title: string, ...lines: ReadonlyArray<string>): HTMLElement =>
  el("li", {}, el("span", { class: "amount" }, title), ...lines.map((line) => el("div", { class: "quiet" }, line)))

/** What the account holds, as far as it must be dealt with. */
const holdings = ({ decisionPoints, snapshot }: Plan): ReadonlyArray<HTMLElement> => [
  ...(snapshot.balanceLumens === undefined
    ? []
    : [item(briefLumens(snapshot.balanceLumens), "in the account now, reserves included")]),
  ...decisionPoints.filter(({ about }) => about.kind !== "destination" && about.kind !== "later").map(({ about, subject }) => {
    if (about.kind === "asset" || about.kind === "claim") {
      const name = about.asset === "native" ? "lumens" : about.asset.split(":")[0] ?? about.asset
      return about.kind === "claim"
        ? item(`${brief(about.amount)} ${name}`, "to be claimed")
        : item(`${brief(about.amount)} ${name}`, "in all, with what is claimed and what positions pay", about.asset)
    }
    if (about.kind === "position" || about.kind === "pool") return item(subject, ...about.holds.map(shownValue))
    return item(subject)
  })
]

const transactions = ({ steps, transactions: all }: Plan): ReadonlyArray<HTMLElement> =>
  all.map(({ feeLumens, index, receivedLumens, steps: of }) =>
    el(
      "li",
      {},
      el("span", { class: "amount" }, `Transaction ${index + 1}`),
      el(
        "ul",
        { class: "plain" },
        ...of.flatMap((at) => steps[at] ?? []).map(({ description, title }) => el("li", { title: description }, title))
      ),
      el(
        "div",
        { class: "quiet" },
        `Fee ${briefLumens(feeLumens)}${receivedLumens === undefined ? "" : `, brings ${briefLumens(receivedLumens)}`}`
      )
    )
  )

const lumens = ({ estimate: { feeLumens, freedReserveLumens, minReceivedLumens, receivedLumens, waitUntil } }: Plan): HTMLElement => {
  const rows: ReadonlyArray<readonly [string, string | null]> = [
    ["At least", minReceivedLumens === null ? null : briefLumens(minReceivedLumens)],
    ["Fees", briefLumens(feeLumens)],
    ["Freed reserves, included above", briefLumens(freedReserveLumens)],
    ["Not before", waitUntil === null ? null : new Date(waitUntil).toLocaleString()]
  ]
  return el(
    "div",
    {},
    el("h3", {}, "Lumens"),
    el("p", { class: "big" }, receivedLumens === null ? "Not known yet" : brief(receivedLumens)),
    el("p", { class: "quiet" }, receivedLumens === null ? "Answer the questions below first." : "lumens arrive at the destination"),
    el("dl", {}, ...rows.flatMap(([name, value]) => (value === null ? [] : [el("dt", {}, name), el("dd", {}, value)])))
  )
}

/** Holdings, transactions and lumens of a plan, side by side; on a phone one below the other. */
export const planPanels = (plan: Plan): HTMLElement =>
  el(
    "div",
    { class: "panels" },
    el("div", {}, el("h3", {}, "What it holds"), listOr(holdings(plan), "Nothing but lumens.")),
    el("div", {}, el("h3", {}, "Transactions"), listOr(transactions(plan), "None can be foreseen yet.")),
    lumens(plan)
  )

/** Blockers and warnings of a plan. */
export const planNotes = ({ blockers, warnings }: Plan): ReadonlyArray<HTMLElement> => [
  ...(blockers.length === 0
    ? []
    : [
      el(
        "div",
        { class: "danger" },
        el("p", {}, "This blocks the close:"),
        el("ul", { class: "plain" }, ...blockers.map(({ message }) => el("li", {}, message)))
      )
    ]),
  ...(warnings.length === 0
    ? []
    : [
      el(
        "details",
        {},
        el("summary", {}, `Good to know (${warnings.length})`),
        el("ul", { class: "plain" }, ...warnings.map(({ message }) => el("li", {}, message)))
      )
    ])
]

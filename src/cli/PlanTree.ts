import { brief } from "../client/BriefAmount.ts"
import type { Plan } from "../client/CloseEvent.ts"
import { displayed, short } from "./Foreign.ts"
import { bold, columns, cut, faint, paragraph, red } from "./Screen.ts"

type Step = Plan["steps"][number]

/** Why a transaction stands on its own, in words. */
const reasons: Readonly<Record<string, string>> = {
  op_batch: "more operations than fit one transaction",
  prepares_exit: "makes ready what an exit needs",
  position_exit: "leaves a position",
  token_exit: "handles a contract token",
  reread_needed: "amounts are read again after it",
  frees_lumens: "frees lumens that contract calls need",
  mediator: "into the exchange, by the mediator"
}

/** One step as a row: what it is, and its fee at the end of the line. */
const row = (before: string, { estimatedFeeLumens, title }: Step, width: number): string => {
  const fee = brief(estimatedFeeLumens)
  const room = width - before.length - fee.length - 1
  const text = cut(short(title), room)
  return `${before}${text}${" ".repeat(Math.max(1, room - text.length + 1))}${faint(fee)}`
}

/** Steps of a list as the branches of a tree. */
const branches = (steps: ReadonlyArray<Step>, indent: string, width: number): ReadonlyArray<string> =>
  steps.map((step, index) => row(`${indent}${index === steps.length - 1 ? "└─" : "├─"} `, step, width))

const transactionRows = (plan: Plan, width: number): ReadonlyArray<string> => {
  const known = new Map(plan.steps.map((step) => [step.index, step]))
  const shown = new Set(plan.transactions.flatMap(({ steps }) => steps))
  const open = plan.steps.filter(({ index }) => !shown.has(index))
  return [
    ...plan.transactions.flatMap(({ index, reason, steps }) => [
      `${bold(`Transaction ${index + 1}`)}${reason === undefined ? "" : faint(`  ${reasons[reason] ?? reason}`)}`,
      ...branches(steps.flatMap((one) => known.get(one) ?? []), "  ", width)
    ]),
    ...(open.length === 0 ? [] : [bold("Not in a transaction yet"), ...branches(open, "  ", width)])
  ]
}

const lumens = (amount: string | null): string => (amount === null ? "not known yet" : `${brief(amount)} XLM`)

/** What the whole close costs and brings. */
export const planSums = ({ estimate }: Plan): ReadonlyArray<readonly [string, string]> => [
  ["arrives", lumens(estimate.receivedLumens)],
  ["arrives at least", lumens(estimate.minReceivedLumens)],
  ["fees", lumens(estimate.feeLumens)],
  ["transactions", estimate.transactionCount === null ? "more than can be foreseen now" : String(estimate.transactionCount)],
  ...(estimate.waitUntil === null ? [] : [["not finished before", estimate.waitUntil] as const])
]

/** Blockers and warnings. */
const notes = ({ blockers, warnings }: Plan): ReadonlyArray<string> => [
  ...blockers.flatMap(({ message }) => paragraph(`Blocked: ${short(message)}`).map(red)),
  ...warnings.flatMap(({ message }) => paragraph(`Note: ${short(message)}`).map(faint))
]

/** Transactions, steps and sums alone: what answers may change. */
export const planRows = (plan: Plan): ReadonlyArray<string> => {
  const sums = planSums(plan)
  const name = Math.max(...sums.map(([label]) => label.length))
  return [
    ...transactionRows(plan, Math.min(columns(), 120)),
    "",
    ...sums.map(([label, value]) => `  ${label.padEnd(name)}  ${value}`)
  ]
}

/** How many required points of a plan have no answer yet. */
const openPoints = ({ decisionPoints }: Plan, taken: ReadonlySet<string>): number =>
  decisionPoints.filter(({ answered, id, required }) => required && !answered && !taken.has(id)).length

/** A plan as a tree: transactions, their steps with names and amounts, and what all of it brings. `taken`: points answered since. */
export const planTree = (foreign: Plan, taken: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  const plan = displayed(foreign)
  const open = openPoints(plan, taken)
  return [
    ...planRows(plan),
    ...notes(plan),
    ...(open === 0 ? [] : [`  ${open} ${open === 1 ? "question is" : "questions are"} open.`])
  ]
}

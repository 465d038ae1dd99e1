import { Prompt } from "@effect/cli"
import { Effect } from "effect"
import { brief } from "../client/BriefAmount.ts"
import type { CloseEvent } from "../client/CloseEvent.ts"
import { movedText, symbolsIn } from "../client/Movements.ts"
import type { Outcome } from "../client/Outcome.ts"
import { Declined } from "./CommandFailed.ts"
import { displayed, short } from "./Foreign.ts"
import { planRows, planSums, planTree } from "./PlanTree.ts"
import { bold, columns, cut, faint, paragraph, print, progress } from "./Screen.ts"

/** What a transaction brought and cost. */
const gain = (outcome: Outcome | null, symbols: ReadonlyMap<string, string>): string => {
  if (outcome === null) return ""
  const fee = `fee ${brief(outcome.feeLumens)}`
  if (outcome.arrived.length > 0) return `: ${movedText(outcome.arrived, symbols)} arrived at the destination, ${fee}`
  return outcome.received.length === 0 ? `: ${fee}` : `: ${movedText(outcome.received, symbols)}, ${fee}`
}

/** What the screen shows so far. */
interface Told {
  symbols: ReadonlyMap<string, string>
  /** Transactions, as far as they can be foreseen. */
  planned: number
  /** What the transaction under way does. */
  what: string
  tree: string
  isBegun: boolean
}

const begin = Effect.gen(function*() {
  const isMeant = yield* Prompt.run(Prompt.confirm({ message: "Sign and submit these transactions, one after the other?" }))
  if (!isMeant) return yield* new Declined()
})

const tellPlan = (told: Told, { decisions, final, plan }: Extract<CloseEvent, { readonly _tag: "planned" }>, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (plan.status === "complete") return
    told.symbols = symbolsIn(plan)
    told.planned = Math.max(told.planned, plan.estimate.transactionCount ?? plan.transactions.length)
    if (told.isBegun) {
      if (final) yield* print(faint(`  Planned anew: ${planSums(plan).slice(0, 2).map(([name, value]) => `${name} ${value}`).join(", ")}`))
      return
    }
    const taken = new Set(decisions.map(({ id }) => id))
    const tree = planRows(plan).join("\n")
    if (tree !== told.tree) yield* print("", bold(told.tree === "" ? "The plan" : "The plan with your answers"), ...planTree(plan, taken))
    told.tree = tree
    if (!final || plan.status !== "ready") return
    told.isBegun = true
    if (mayAsk) yield* begin
    yield* print("")
  })

/** Shows each event of a close, and asks once before the first transaction. */
export const teller = (mayAsk: boolean) => {
  const told: Told = { symbols: new Map(), planned: 0, what: "", tree: "", isBegun: false }
  return (foreign: CloseEvent) =>
    Effect.gen(function*() {
      const event = displayed(foreign)
      switch (event._tag) {
        case "planned":
          return yield* tellPlan(told, event, mayAsk)
        case "built":
          told.planned = event.of ?? Math.max(told.planned, event.number)
          told.what = event.transaction.intent.summary
          yield* print(...event.warnings.flatMap(({ message }) => paragraph(`Note: ${short(message)}`).map(faint)))
          return yield* progress(event.number - 1, told.planned, `${event.number} of ${told.planned}: built`)
        case "signed":
        case "submitted":
          return yield* progress(event.number - 1, told.planned, `${event.number} of ${told.planned}: ${event._tag}`)
        case "confirmed": {
          const line = `${event.number} of ${told.planned}  ${short(told.what)}${gain(event.outcome, told.symbols)}`
          return yield* print(...paragraph(line))
        }
        case "waiting":
          return yield* print(faint(cut(`  waiting ${event.seconds} s: ${short(event.message)}`, columns())))
        case "question":
        // Its explanation is shown where it is signed.
        case "verified":
        case "receipt":
          return
      }
    })
}

import { short } from "../../src/cli/Foreign.ts"
import { brief } from "../../src/client/BriefAmount.ts"
import type { CloseEvent, Outcome, Plan, Question } from "../../src/client/Client.ts"
import { movedText, symbolsIn } from "../../src/client/Movements.ts"
import { counted } from "../../src/domain/CountedNoun.ts"
import { aside, chapter, line, progress } from "./Screen.ts"

type Value = Plan["steps"][number]["pays"][number]

/** Sums of amounts by name: every asset has seven decimals. */
const summed = (values: ReadonlyArray<Value>): string => {
  const sums = new Map<string, bigint>()
  for (const { amount, asset, symbol } of values) {
    if (asset === undefined) continue
    const name = asset === "native" ? "XLM" : symbol ?? asset
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(amount.replace(".", "")))
  }
  return [...sums].map(([name, sum]) => `${brief(`${sum / 10_000_000n}.${(sum % 10_000_000n).toString().padStart(7, "0")}`)} ${name}`).join(
    ", "
  )
}

/** Prints the holdings of a plan, a line for each protocol and kind. */
const showHoldings = ({ decisionPoints }: Plan): void => {
  const positions = decisionPoints.flatMap(({ about }) => (about.kind === "position" ? [about] : []))
  for (const [label, alike] of Map.groupBy(positions, (about) => about.label)) {
    line(`${label}: ${alike.length} position${alike.length === 1 ? "" : "s"}, worth ${summed(alike.flatMap(({ holds }) => holds))}`)
  }
  const kinds = Map.groupBy(decisionPoints.filter(({ type }) => !["position", "destination", "later"].includes(type)), ({ type }) => type)
  for (const [type, points] of kinds) line(`${type}: ${points.length}`)
}

const showQuestion = ({ options, subject }: Question): void => {
  line(short(`? ${subject}: ${options.map(({ id }) => id).join(", ")}`))
}

const gain = (outcome: Outcome | null, symbols: ReadonlyMap<string, string>): string => {
  if (outcome === null) return ""
  const [fee, arrived] = [`fee ${brief(outcome.feeLumens)}`, outcome.arrived.map(({ amount }) => brief(amount)).join(", ")]
  if (arrived !== "") return ` → ${arrived} XLM arrive at the destination, ${fee}`
  return outcome.received.length === 0 ? ` → ${fee}` : ` → ${movedText(outcome.received, symbols)}, ${fee}`
}

/** The state of the printed output. */
interface OutputState {
  symbols: ReadonlyMap<string, string>
  /** Transactions, as far as the plan foresees them. */
  planned: number
  /** The effect of the current transaction. */
  what: string
}

const showPlan = (state: OutputState, { final, plan }: Extract<CloseEvent, { readonly _tag: "planned" }>): void => {
  if (state.symbols.size === 0) {
    showHoldings(plan)
    chapter("The plan, and what only the owner can decide")
  }
  state.symbols = new Map([["native", "XLM"], ...symbolsIn(plan)])
  if (!final) return
  state.planned = plan.estimate.transactionCount ?? plan.transactions.length
  const { minReceivedLumens, receivedLumens } = plan.estimate
  line(`ready: ${counted(state.planned, "transaction")}; ${receivedLumens} lumens expected, ${minReceivedLumens} at least`)
  chapter("The close")
}

/** Shows each event of a close in at most one line. */
export const teller = () => {
  const state: OutputState = { symbols: new Map(), planned: 0, what: "" }
  return (event: CloseEvent): void => {
    switch (event._tag) {
      case "planned":
        return showPlan(state, event)
      case "question":
        return showQuestion(event.question)
      case "built":
        state.planned = event.of ?? Math.max(state.planned, event.number)
        state.what = event.transaction.intent.summary
        return progress(event.number - 1, state.planned, `${event.number} of ${state.planned}: built`)
      case "verified":
      case "signed":
      case "submitted":
        return progress(event.number - 1, state.planned, `${event.number} of ${state.planned}: ${event._tag}`)
      case "confirmed":
        return line(short(`${event.number} of ${state.planned}: ${state.what}${gain(event.outcome, state.symbols)}`))
      case "waiting":
        return aside(`waiting ${event.seconds} s: ${event.message}`)
      case "receipt":
        return undefined
    }
  }
}

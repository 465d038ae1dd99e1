import { showAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { bestQuote } from "../../market/Conversion.ts"
import type { Exits } from "../../situation/Exits.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import type { Situation } from "../../situation/Situation.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { handedInTrade } from "../payouts/TokenOutflow.ts"

/** What an exit that is a trade pays and takes. */
interface Trade {
  /** What it pays, with its name. */
  readonly paid: string
  /** What it takes, with its name. */
  readonly taken: string
  /** Stroops of lumens that it pays, by its simulation where there is one; null where it pays something else. */
  readonly lumens: bigint | null
  /** Stroops of lumens that selling what it takes would bring now; null: there is no quote. */
  readonly worth: bigint | null
}

/** Stroops of lumens that a sale would bring now; null: no one quotes it. */
const worthOf = (
  situation: Situation,
  { id }: PlannedExit,
  { amount, asset }: { readonly asset: AssetId; readonly amount: bigint }
): bigint | null => {
  const { exits, input: { source }, ledgerState } = situation
  const quote = bestQuote(
    Workbench.open(ledgerState, source),
    { source, asset, amount: stroops(amount) },
    exits.trades.get(id) ?? []
  )
  return quote?.receive ?? null
}

/** What the simulation of the next call says that it pays of an asset, stroops; null where none says it. */
const simulatedPay = ({ simulation }: PlannedExit, asset: AssetId): bigint | null =>
  simulation?._tag === "Ready" ? simulation.credits.get(asset) ?? null : null

/** What a trade pays. */
const paidBy = (
  { assets }: Pick<Exits, "assets">,
  one: PlannedExit,
  { expected, token }: ContractCall["payouts"][number]
): Pick<Trade, "lumens" | "paid"> => {
  const asset = assets.get(token)
  if (asset === undefined) return { paid: `${expected} of ${token}`, lumens: null }
  const pays = simulatedPay(one, asset) ?? expected
  return asset === native ? { paid: `${showAmount(pays)} lumens`, lumens: pays } : { paid: `${showAmount(pays)} ${asset}`, lumens: null }
}

const tradeOf = (situation: Situation, one: PlannedExit): Trade | null => {
  const [call] = one.exit._tag === "Calls" && one.exit.isTrade === true ? one.exit.calls : []
  const [payout, held] = [call?.payouts[0], call?.holds[0]]
  if (payout === undefined || held === undefined) return null
  const paid = paidBy(situation.exits, one, payout)
  const sold = handedInTrade(situation.exits, one)
  return sold === null
    ? { ...paid, taken: `${held.amount} of ${held.token}`, worth: null }
    : { ...paid, taken: `${showAmount(sold.amount)} ${sold.asset}`, worth: worthOf(situation, one, sold) }
}

const isFair = ({ lumens, worth }: Trade): boolean => lumens !== null && worth !== null && lumens > worth

/** What an exit pays and takes, in words, where its owner must weigh the one against the other; null: it pays more than it takes, or is no trade. */
export const unfairTrade = (situation: Situation, one: PlannedExit): string | null => {
  const trade = isForfeited(one) ? null : tradeOf(situation, one)
  if (trade === null || isFair(trade)) return null
  const { paid, taken, worth } = trade
  return worth === null
    ? `It pays ${paid} for ${taken}, for which there is no quote.`
    : `It pays ${paid} for ${taken}, which would bring ${showAmount(worth)} lumens if it were sold.`
}

/** What may become of positions before they are left. */
export const riskWarnings = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<PlanBlocker> =>
  planned.filter((one) => !isForfeited(one)).flatMap(({ exit, id }) =>
    exit._tag !== "Gone" && exit.risk !== undefined ? [warning("liquidation_possible", exit.risk, id)] : []
  )

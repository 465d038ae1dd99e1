import { showAmount, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { bestQuote } from "../model/Conversion.ts"
import type { Situation } from "../model/Situation.ts"
import { Workbench } from "../model/Workbench.ts"
import { type Exits, isForfeited, type PlannedExit } from "../model/Exits.ts"
import { tradedBy } from "../model/HandedOver.ts"

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

const tradeOf = (situation: Situation, one: PlannedExit): Trade | null => {
  const { exits, input: { source }, passphrase, ledgerState } = situation
  const [call] = one.exit._tag === "Calls" && one.exit.isTrade === true ? one.exit.calls : []
  const [payout, held] = [call?.payouts[0], call?.holds[0]]
  if (payout === undefined || held === undefined) return null
  const sold = tradedBy(exits, one)
  const asset = exits.assets.get(payout.token)
  const told = one.simulation?._tag === "Ready" && asset !== undefined ? one.simulation.credits.get(asset) : undefined
  const pays = told ?? payout.expected
  const quote = sold === null ? null : bestQuote(Workbench.open(ledgerState, source, passphrase), { source, asset: sold.asset, amount: stroops(sold.amount) }, exits.trades.get(one.id) ?? [])
  return {
    paid: asset === undefined ? `${pays} of ${payout.token}` : `${showAmount(pays)} ${asset === native ? "lumens" : asset}`,
    taken: sold === null ? `${held.amount} of ${held.token}` : `${showAmount(sold.amount)} ${sold.asset}`,
    lumens: asset === native ? pays : null,
    worth: quote?.receive ?? null
  }
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
    exit._tag !== "Gone" && exit.risk !== undefined ? [warning("liquidation_possible", exit.risk, id)] : [])

import { BigInt as Big } from "effect"
import { showAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { DecisionOption } from "../../../domain/Decision.ts"
import { PlanChanged, QuoteDrifted } from "../../../domain/failure/Planning.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { type AtomicGroup, atomicGroup } from "../../situation/AtomicGroup.ts"
import { slippageOf } from "../../situation/CloseInput.ts"
import { isFed } from "../../situation/DebtCover.ts"
import { toBeLeft } from "../../situation/Exits.ts"
import { sellingLiabilitiesIn } from "../../situation/Holdings.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { isAnswered, shortageOf } from "../../situation/RepayShortage.ts"
import type { Situation } from "../../situation/Situation.ts"
import { spokenAmount } from "../../situation/SpokenAmount.ts"
import { trustlineGroups } from "../payouts/PayoutTrustlines.ts"
import { purchaseSpending } from "./PurchaseSpending.ts"
import { bestQuote, isPayable, purchase, type PurchaseQuote, quoteOf } from "./RepayQuote.ts"
import { shortText } from "./ShortText.ts"

/** A cost, and what it may rise by; rounded up. */
const withSlippage = (cost: bigint, bps: number): bigint => cost + (cost * BigInt(bps) + 9_999n) / 10_000n

/** Stroops that the owner's word still lets a purchase take: what was bought on it before is not there any more, or it would not be short. */
const leftToSpend = (
  { exits: { history }, input: { source }, snapshot }: Situation,
  { answer }: PlannedExit,
  asset: AssetId,
  spend: AssetId
): bigint => {
  const { maxSpend = 0n, sequence: begun = "0" } = answer?.params ?? {}
  const sequence = BigInt(begun)
  const { seqNum } = snapshot.accountEntry
  // A word that begins in the future bounds nothing, and one that begins now has bought nothing yet.
  if (sequence > seqNum) return 0n
  if (sequence === seqNum) return Big.max(maxSpend, 0n)
  const spent = purchaseSpending(history, { source, asset, spend, sequence })
  return spent === null || spent > maxSpend ? 0n : maxSpend - spent
}

/** Why a purchase is not made as it was agreed: it costs more than that, or what was bought before leaves too little of it. */
const purchaseObstacle = (id: string, quote: PurchaseQuote | null, agreed: bigint, left: bigint): PlanChanged | QuoteDrifted | null => {
  if (quote === null || quote.cost > agreed) {
    return new QuoteDrifted({ decisionId: id, agreed: showAmount(agreed), current: quote === null ? null : showAmount(quote.cost) })
  }
  return quote.cost <= left ? null : new PlanChanged({
    planHash: null,
    changes: [{ kind: "amount", subject: id, agreed: showAmount(left), current: showAmount(quote.cost) }]
  })
}

/** What a purchase may cost more than now, within what was agreed and what there is. */
const riseOf = (quote: PurchaseQuote | null, agreed: bigint): bigint => {
  const most = quote === null ? 0n : Big.min(agreed, quote.available)
  return quote === null || most <= quote.cost ? 0n : most - quote.cost
}

/** A purchase as its owner bounds it, stroops of what is spent: the price agreed, and what is left of it. */
interface Bounds {
  readonly quote: PurchaseQuote | null
  readonly agreed: bigint
  readonly left: bigint
}

/** What the owner's word bounds; without one what is offered, as far as what is held pays it. Null: nothing is bought. */
const boundsOf = (situation: Situation, ledgerState: LedgerState, one: PlannedExit): Bounds | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null) return null
  if (!isAnswered(one)) {
    const quote = asksToBuy(situation, one) ? bestQuote(situation, ledgerState, one, "held") : null
    const offered = quote === null ? 0n : Big.min(withSlippage(quote.cost, slippageOf(situation.input)), quote.available)
    return quote === null || !isPayable(quote) ? null : { quote, agreed: offered, left: offered }
  }
  const [ways] = situation.exits.purchases.get(one.id) ?? []
  if (ways === undefined) return null
  const quote = quoteOf(situation, ledgerState, ways, lacks)
  return { quote, agreed: one.answer?.params?.maxSpend ?? 0n, left: leftToSpend(situation, one, lacks.asset, ways.spend) }
}

/**
 * The purchase of what a debt lacks, as its owner decided or, in a projection, as it is offered; null where nothing is bought. Lines come
 * with it where there are none.
 */
export const purchaseOf = (situation: Situation, ledgerState: LedgerState, one: PlannedExit): ReadonlyArray<AtomicGroup> | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  const bounds = boundsOf(situation, ledgerState, one)
  if (lacks === null || bounds === null) return null
  const { agreed, left, quote } = bounds
  const spend = quote?.spend ?? situation.exits.purchases.get(one.id)?.[0]?.spend
  if (spend === undefined) return null
  const { source } = situation.input
  const { asset, short } = lacks
  const sendMax = Big.max(quote === null ? left : Big.min(withSlippage(quote.cost, slippageOf(situation.input)), left), 1n)
  return [
    ...trustlineGroups(ledgerState, source, new Map([[asset, short]])),
    atomicGroup([{
      type: "EXIT_POSITIONS",
      title: `Buy ${spokenAmount({ of: asset, units: short })} for at most ${spokenAmount({ of: spend, units: sendMax })}`,
      description: "The missing part of the debt. The position is exited afterwards.",
      moves: { pays: [{ of: asset, units: short }], takes: [{ of: spend, units: quote === null ? sendMax : quote.cost }] },
      asset,
      entry: one.id,
      operations: [purchase(source, spend, quote?.path ?? [], { asset, amount: short, sendMax })]
    }], {
      mayLack: new Map([[spend, riseOf(quote, agreed)]]),
      failure: purchaseObstacle(one.id, quote, agreed, left)
    })
  ]
}

/**
 * Whether the owner decided to buy the missing part of a debt and can pay for it. Also true where the purchase itself reports why it no
 * longer matches the decision.
 */
export const isBought = (situation: Situation, one: PlannedExit): boolean => {
  if (!isAnswered(one) || !situation.exits.purchases.has(one.id)) return false
  const quote = bestQuote(situation, situation.ledgerState, one)
  const lacks = shortageOf(one, situation.exits.assets)
  if (quote !== null && lacks !== null && quote.cost > leftToSpend(situation, one, lacks.asset, quote.spend)) return true
  return quote === null || isPayable(quote)
}

/** Whether what a debt lacks comes without its owner's word: leaving another position pays it, or offers hold it. */
export const isBroughtAnyway = ({ exits, input: { source }, ledgerState }: Situation, one: PlannedExit): boolean => {
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort") return false
  const { held, needed, token } = one.exit.refusal
  const asset = exits.assets.get(token)
  return isFed(exits, one) || (asset !== undefined && asset !== native && held + sellingLiabilitiesIn(ledgerState, source, asset) >= needed)
}

/** Whether a debt lacks something that can be bought, and only its owner's word for that is missing. */
export const asksToBuy = (situation: Situation, one: PlannedExit): boolean => {
  if (shortageOf(one, situation.exits.assets) === null || isAnswered(one) || isForfeited(one) || isBroughtAnyway(situation, one)) {
    return false
  }
  const quote = bestQuote(situation, situation.ledgerState, one)
  return quote !== null && isPayable(quote)
}

/** What a projection takes for bought though it is not decided, in words. */
export const assumedPurchases = (situation: Situation): ReadonlyArray<string> =>
  toBeLeft(situation.exits).filter((one) => asksToBuy(situation, one)).map(({ id }) =>
    `${id} is not decided. The projection assumes that the missing part of the debt is bought.`
  )

/** What buying would take where it cannot be paid, in words; null where it can, or nothing can be bought. */
export const purchaseBlockedBy = (situation: Situation, one: PlannedExit): string | null => {
  const quote = bestQuote(situation, situation.ledgerState, one)
  if (quote === null || isPayable(quote)) return null
  return `Buying the missing part costs ${showAmount(quote.cost)} ${quote.spend} now, and the account can spend ${
    showAmount(quote.available)
  }.`
}

/** The option to buy what a debt lacks; none where nothing lacks, or nothing can be bought with. */
export const purchaseOption = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null || !situation.exits.purchases.has(one.id)) return []
  const id = "buy_repay_asset_then_exit"
  const blockedBy = purchaseBlockedBy(situation, one)
  if (blockedBy !== null) {
    return [{ id, note: `${blockedBy} Send more, or add another spendAsset and maxSpend, and sequence as in snapshot.` }]
  }
  const quote = bestQuote(situation, situation.ledgerState, one)
  if (quote === null) {
    return [{
      id,
      note:
        "No path to buy it with a held asset was found. Another spendAsset may have one. Add spendAsset and maxSpend, and sequence as in snapshot."
    }]
  }
  const risen = withSlippage(quote.cost, slippageOf(situation.input))
  return [{
    id,
    note: `${
      shortText(situation, one, lacks)
    } Buys the missing part. The build is rejected above maxSpend, which limits all purchases from now on.`,
    params: { spendAsset: quote.spend, maxSpend: stroops(Big.min(risen, quote.available)), sequence: situation.snapshot.state.sequence }
  }]
}

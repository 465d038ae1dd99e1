import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../../domain/Address.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import type { OperationOf } from "../../../operations/OperationDefinition.ts"
import { accountKey } from "../../../xdr/LedgerKeys.ts"
import { type PurchaseWays, toBeLeft } from "../../situation/Exits.ts"
import { keptForCalls } from "../../situation/Fees.ts"
import { sellingLiabilitiesIn, spendable, trustlineIn } from "../../situation/Holdings.ts"
import { neededFor } from "../../situation/Moved.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import { earnedBy, type Shortage, shortageOf } from "../../situation/RepayShortage.ts"
import type { Situation } from "../../situation/Situation.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { withCredits } from "../payouts/LedgerCredits.ts"
import { reserveOf, trustlineGroups, withRoom } from "../payouts/PayoutTrustlines.ts"

type Purchase = OperationOf<"path_payment_strict_receive">

const most = stroops(largestAmount)

/** What is bought, and for how much of what is spent at most; stroops. */
interface Bought {
  readonly asset: AssetId
  readonly amount: bigint
  readonly sendMax: bigint
}

/** A purchase by an account for itself. */
export const purchase = (
  source: AccountAddress,
  spend: AssetId,
  path: ReadonlyArray<AssetId>,
  { amount, asset, sendMax }: Bought
): Purchase => ({
  type: "path_payment_strict_receive",
  source,
  sendAsset: spend,
  sendMax: stroops(sendMax),
  destination: source,
  destAsset: asset,
  destAmount: stroops(amount),
  path
})

const balanceOf = ({ state }: Workbench, owner: AccountAddress, asset: AssetId): bigint => {
  if (asset !== native) return trustlineIn(state, owner, asset)?.balance ?? 0n
  const found = state.get(accountKey(owner))?.data
  return found?.type === "account" ? found.account.balance : 0n
}

/** Stroops of the asset that is spent; null when it cannot be bought this way. */
const costOf = (bench: Workbench, operation: Purchase, spend: AssetId, asset: AssetId): bigint | null => {
  const ready = withRoom(bench, operation.source, asset, operation.destAmount)
  const after = ready?.attempt([operation]).after ?? null
  if (ready === null || after === null) return null
  const fee = spend === native ? BigInt(ready.state.header.baseFee) : 0n
  return balanceOf(ready, operation.source, spend) - balanceOf(after, operation.source, spend) - fee
}

/** More of an asset than any purchase spends, so that its cost is known even where it cannot be paid. */
const plenty = 100_000_000_000_0000000n

/** What a purchase would cost now, and what there is to pay it with; stroops of `spend`. */
export interface PurchaseQuote {
  readonly spend: AssetId
  readonly path: ReadonlyArray<AssetId>
  readonly cost: bigint
  /** Without reserves, what offers hold, what debts need, and the fees that are still to come. */
  readonly available: bigint
}

const heldOf = (situation: Situation, ledgerState: LedgerState, spend: AssetId, { asset, short }: Shortage): bigint => {
  const { input, snapshot } = situation
  const { source } = input
  if (spend !== native) {
    const line = trustlineIn(ledgerState, source, spend)
    return line === null || !line.authorized ? 0n : line.balance - sellingLiabilitiesIn(ledgerState, source, spend)
  }
  const found = ledgerState.get(accountKey(source))?.data
  if (found?.type !== "account") return 0n
  const { baseReserve } = ledgerState.header
  const lines = reserveOf(ledgerState, source, trustlineGroups(ledgerState, source, new Map([[asset, short]])))
  return spendable(found.account, baseReserve) - lines - keptForCalls(input, snapshot)
}

/** What leaving positions needs of an asset itself, stroops: it is not spent on something else. */
const neededOf = ({ exits }: Situation, spend: AssetId): bigint =>
  [...exits.assets].filter(([, asset]) => asset === spend).reduce(
    (sum, [token]) => toBeLeft(exits).reduce((all, one) => all + neededFor(callsOf(one), token), sum),
    0n
  )

const availableFor = (situation: Situation, ledgerState: LedgerState, spend: AssetId, lacks: Shortage): bigint => {
  const left = heldOf(situation, ledgerState, spend, lacks) - neededOf(situation, spend)
  return Big.max(left, 0n)
}

/** The cheapest of some ways; null where none leads anywhere. */
export const quoteOf = (situation: Situation, ledgerState: LedgerState, ways: PurchaseWays, lacks: Shortage): PurchaseQuote | null => {
  const { input: { source } } = situation
  const { routes, spend } = ways
  // What was earned may have no line yet.
  const opened = Workbench.open(ledgerState, source)
  const ready = withRoom(opened, source, spend, 1n) ?? opened
  const bench = Workbench.open(withCredits(ready.state, source, new Map([[spend, plenty]])), source)
  let best: Pick<PurchaseQuote, "cost" | "path"> | null = null
  for (const path of routes) {
    const cost = costOf(
      bench,
      purchase(source, spend, path, { asset: lacks.asset, amount: lacks.short, sendMax: most }),
      spend,
      lacks.asset
    )
    if (cost !== null && (best === null || cost < best.cost)) best = { cost, path }
  }
  return best === null ? null : { ...best, spend, available: availableFor(situation, ledgerState, spend, lacks) }
}

export const isPayable = ({ available, cost }: PurchaseQuote): boolean => cost <= available

/** Of the ways there are: the first that can be paid, else the first that leads anywhere. `means`: with what is held alone, or with what was earned as well. */
export const bestQuote = (
  situation: Situation,
  ledgerState: LedgerState,
  one: PlannedExit,
  means: "held" | "earned" = "earned"
): PurchaseQuote | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null) return null
  const earned = means === "held" ? new Map<AssetId, bigint>() : earnedBy(one, situation.exits.assets)
  const quotes = (situation.exits.purchases.get(one.id) ?? []).flatMap((ways) => quoteOf(situation, ledgerState, ways, lacks) ?? [])
    .map((quote) => ({ ...quote, available: quote.available + (earned.get(quote.spend) ?? 0n) }))
  return quotes.find(isPayable) ?? quotes[0] ?? null
}

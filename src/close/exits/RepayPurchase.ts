import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { DecisionOption } from "../../domain/Decision.ts"
import { PlanChanged, QuoteDrifted } from "../../domain/failure/Planning.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import type { State } from "../../ledger/State.ts"
import type { OperationOf } from "../../operations/OperationDefinition.ts"
import { holdingsIn, lineIn, sellingLiabilitiesIn, spendable } from "../model/Holdings.ts"
import { readHops } from "../read/MarketReader.ts"
import { hopsOf, isDetour } from "../model/Routes.ts"
import type { Situation } from "../model/Situation.ts"
import { type Unit, unit } from "../model/Unit.ts"
import { Workbench } from "../model/Workbench.ts"
import { credited } from "../model/Credited.ts"
import { callsOf, claimable, type Exits, isForfeited, type PlannedExit, type PurchaseWays, toBeLeft } from "../model/Exits.ts"
import { neededFor } from "../model/Moves.ts"
import { lineUnits, withRoom } from "../model/PayoutLines.ts"
import { spentSince } from "./SpentBefore.ts"
import { callReserve } from "../model/Fees.ts"

/** Fees of the purchase itself, stroops: they come out of the very lumens that are bought. */
const feeAllowance = 100_000n

/** Held assets, besides lumens, that are asked about as means to buy with. */
const mostMeans = 4

/** What a debt lacks of an asset, in stroops. */
interface Shortage {
  readonly asset: AssetId
  readonly short: bigint
}

const shortageOf = ({ exit }: PlannedExit, assets: Exits["assets"]): Shortage | null => {
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return null
  const asset = assets.get(exit.refusal.token)
  if (asset === undefined) return null
  return { asset, short: exit.refusal.needed - exit.refusal.held + (asset === native ? feeAllowance : 0n) }
}

const isAnswered = ({ answer }: PlannedExit): boolean => answer?.choice === "buy_repay_asset_then_exit"

/** What a position has earned, by asset, stroops: it can be claimed first and spent on what the debt lacks. */
const earnedBy = (one: PlannedExit, assets: Exits["assets"]): ReadonlyMap<AssetId, bigint> =>
  new Map(claimable(one).flatMap(({ amount, token }) => {
    const asset = assets.get(token)
    return asset === undefined ? [] : [[asset, amount] as const]
  }))

/** What may be bought with: as answered, else lumens first and then what is held, the largest amount first, and what was earned. */
const meansFor = (world: State, own: AccountAddress, one: PlannedExit, { asset }: Shortage, assets: Exits["assets"]): ReadonlyArray<AssetId> => {
  const named = isAnswered(one) ? one.answer?.params?.spendAsset : undefined
  if (named !== undefined) return [named]
  const held = (holdingsIn(world, own)?.lines ?? []).filter((line) => line.authorized && line.balance > 0n && line.asset !== asset)
  const others = held.toSorted((left, right) => (left.balance > right.balance ? -1 : 1)).slice(0, mostMeans).map((line) => line.asset)
  return [...new Set([...(asset === native ? [] : [native]), ...others, ...earnedBy(one, assets).keys()])].filter((spend) => spend !== asset)
}

/** Reads the ways to buy what debts lack (`/paths/strict-receive`), and every book and pool on them. */
export const readPurchases = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  world: State,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "purchases">, ChainFailure> =>
  Effect.gen(function*() {
    const wanted = exits.planned.flatMap((one) => {
      const lacks = shortageOf(one, exits.assets)
      if (lacks === null || isForfeited(one)) return []
      return meansFor(world, own, one, lacks, exits.assets).filter((spend) => spend !== lacks.asset).map((spend) => ({ id: one.id, spend, ...lacks }))
    })
    const found = yield* Effect.forEach(wanted, ({ asset, id, short, spend }) =>
      Effect.map(api.strictReceivePaths(spend, asset, stroops(short)), (paths) => ({
        id,
        asset,
        ways: { spend, routes: [[], ...paths.map(({ path }) => path).filter((path) => isDetour(spend, path, asset))] }
      })), { concurrency: 4 })
    const met = yield* readHops(api, entries, own, found.flatMap(({ asset, ways: { routes, spend } }) => routes.flatMap((route) => hopsOf(spend, route, asset))))
    return {
      purchases: new Map(found.map(({ id }) => [id, found.filter((one) => one.id === id).map(({ ways }) => ways)])),
      marketEntries: met.entries
    }
  })

type Purchase = OperationOf<"path_payment_strict_receive">

const most = stroops(9223372036854775807n)

const purchase = (source: AccountAddress, { spend }: PurchaseWays, path: ReadonlyArray<AssetId>, asset: AssetId, amount: bigint, sendMax: bigint): Purchase => ({
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
  if (asset !== native) return lineIn(state, owner, asset)?.balance ?? 0n
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
interface PurchaseQuote {
  readonly spend: AssetId
  readonly path: ReadonlyArray<AssetId>
  readonly cost: bigint
  /** Without reserves, what offers hold, what debts need, and the fees that are still to come. */
  readonly available: bigint
}

const heldOf = (situation: Situation, world: State, spend: AssetId, { asset, short }: Shortage): bigint => {
  const { source, feePayer } = situation.input
  if (spend !== native) {
    const line = lineIn(world, source, spend)
    return line === null || !line.authorized ? 0n : line.balance - sellingLiabilitiesIn(world, source, spend)
  }
  const found = world.get(accountKey(source))?.data
  if (found?.type !== "account") return 0n
  const { baseReserve } = world.header
  const lines = BigInt(lineUnits(world, source, new Map([[asset, short]])).length * baseReserve)
  return spendable(found.account, baseReserve) - lines - (feePayer === "source" ? callReserve : 0n)
}

/** What leaving positions needs of an asset itself, stroops: it is not spent on something else. */
const neededOf = ({ exits }: Situation, spend: AssetId): bigint =>
  [...exits.assets].filter(([, asset]) => asset === spend).reduce(
    (sum, [token]) => toBeLeft(exits).reduce((all, one) => all + neededFor(callsOf(one), token), sum),
    0n
  )

const availableFor = (situation: Situation, world: State, spend: AssetId, lacks: Shortage): bigint => {
  const left = heldOf(situation, world, spend, lacks) - neededOf(situation, spend)
  return left > 0n ? left : 0n
}

/** The cheapest of some ways; null where none leads anywhere. */
const quoteOf = (situation: Situation, world: State, ways: PurchaseWays, lacks: Shortage): PurchaseQuote | null => {
  const { input: { source }, passphrase } = situation
  const { routes, spend } = ways
  // What was earned may have no line yet.
  const opened = Workbench.open(world, source, passphrase)
  const ready = withRoom(opened, source, spend, 1n) ?? opened
  const bench = Workbench.open(credited(ready.state, source, new Map([[spend, plenty]])), source, passphrase)
  let best: Pick<PurchaseQuote, "cost" | "path"> | null = null
  for (const path of routes) {
    const cost = costOf(bench, purchase(source, ways, path, lacks.asset, lacks.short, most), spend, lacks.asset)
    if (cost !== null && (best === null || cost < best.cost)) best = { cost, path }
  }
  return best === null ? null : { ...best, spend, available: availableFor(situation, world, spend, lacks) }
}

const isPayable = ({ available, cost }: PurchaseQuote): boolean => cost <= available

/** Of the ways there are: the first that can be paid, else the first that leads anywhere. */
const bestQuote = (situation: Situation, world: State, one: PlannedExit): PurchaseQuote | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null) return null
  const earned = earnedBy(one, situation.exits.assets)
  const quotes = (situation.exits.purchases.get(one.id) ?? []).flatMap((ways) => quoteOf(situation, world, ways, lacks) ?? [])
    .map((quote) => ({ ...quote, available: quote.available + (earned.get(quote.spend) ?? 0n) }))
  return quotes.find(isPayable) ?? quotes[0] ?? null
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** A cost, and what it may rise by; rounded up. */
const withSlippage = (cost: bigint, bps: number): bigint => cost + (cost * BigInt(bps) + 9_999n) / 10_000n

/** Stroops that the owner's word still lets a purchase take: what was bought on it before is not there any more, or it would not be short. */
const leftToSpend = ({ exits: { history }, input: { source }, snapshot }: Situation, { answer }: PlannedExit, asset: AssetId, spend: AssetId): bigint => {
  const sequence = BigInt(answer?.params?.sequence ?? "0")
  const { seqNum } = snapshot.accountEntry
  // A word that begins in the future bounds nothing, and one that begins now has bought nothing yet.
  const spent = sequence >= seqNum ? null : spentSince(history, { source, asset, spend, sequence })
  const left = (answer?.params?.maxSpend ?? 0n) - (spent ?? 0n)
  return sequence > seqNum || (sequence < seqNum && spent === null) || left < 0n ? 0n : left
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
  const most = quote === null ? 0n : least(agreed, quote.available)
  return quote === null || most <= quote.cost ? 0n : most - quote.cost
}

/** The purchase of what a debt lacks, when the owner decided so; null otherwise. Lines come with it where there are none. */
export const purchaseOf = (situation: Situation, world: State, one: PlannedExit): ReadonlyArray<Unit> | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  const [ways] = situation.exits.purchases.get(one.id) ?? []
  if (!isAnswered(one) || lacks === null || ways === undefined) return null
  const { source } = situation.input
  const { asset, short } = lacks
  const quote = quoteOf(situation, world, ways, lacks)
  const agreed = one.answer?.params?.maxSpend ?? stroops(0n)
  const left = leftToSpend(situation, one, asset, ways.spend)
  const sendMax = quote === null ? left : least(withSlippage(quote.cost, situation.input.maxSlippageBps), left)
  return [
    ...lineUnits(world, source, new Map([[asset, short]])),
    unit([{
      type: "EXIT_POSITIONS",
      title: `Buy ${showAmount(short)} ${asset} for ${ways.spend}`,
      description: "What the debt lacks; the position is left afterwards.",
      asset,
      entry: one.id,
      operations: [purchase(source, ways, quote?.path ?? [], asset, short, sendMax > 0n ? sendMax : 1n)]
    }], {
      mayLack: new Map([[ways.spend, riseOf(quote, agreed)]]),
      obstacle: purchaseObstacle(one.id, quote, agreed, left)
    })
  ]
}

/** Whether the owner decided to buy what a debt lacks and has the means, or is told by the purchase itself why it is not as agreed. */
export const isBought = (situation: Situation, one: PlannedExit): boolean => {
  if (!isAnswered(one) || !situation.exits.purchases.has(one.id)) return false
  const quote = bestQuote(situation, situation.world, one)
  const lacks = shortageOf(one, situation.exits.assets)
  if (quote !== null && lacks !== null && quote.cost > leftToSpend(situation, one, lacks.asset, quote.spend)) return true
  return quote === null || isPayable(quote)
}

/** What buying would take where it cannot be paid, in words; null where it can, or nothing can be bought. */
export const purchaseHindrance = (situation: Situation, one: PlannedExit): string | null => {
  const quote = bestQuote(situation, situation.world, one)
  if (quote === null || isPayable(quote)) return null
  return `Buying what lacks costs ${showAmount(quote.cost)} ${quote.spend} now, and ${showAmount(quote.available)} can be spent.`
}

/** The option to buy what a debt lacks; none where nothing lacks, or nothing can be bought with. */
export const purchaseOption = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null || !situation.exits.purchases.has(one.id)) return []
  const id = "buy_repay_asset_then_exit"
  const hindrance = purchaseHindrance(situation, one)
  if (hindrance !== null) return [{ id, note: `${hindrance} Send more, or add another spendAsset and maxSpend, and sequence as in snapshot.` }]
  const quote = bestQuote(situation, situation.world, one)
  if (quote === null) return [{ id, note: "No way to buy it with what is held was found; another spendAsset may have one. Add spendAsset and maxSpend, and sequence as in snapshot." }]
  const risen = withSlippage(quote.cost, situation.input.maxSlippageBps)
  return [{
    id,
    note: `Buys the ${showAmount(lacks.short)} ${lacks.asset} that the debt lacks; refused above maxSpend, which bounds all that is bought from now on.`,
    params: { spendAsset: quote.spend, maxSpend: stroops(least(risen, quote.available)), sequence: situation.snapshot.state.sequence }
  }]
}

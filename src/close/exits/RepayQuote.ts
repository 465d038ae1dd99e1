import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import type { State } from "../../ledger/State.ts"
import type { OperationOf } from "../../operations/OperationDefinition.ts"
import { holdingsIn, lineIn, sellingLiabilitiesIn, spendable } from "../Holdings.ts"
import { readHops } from "../Market.ts"
import { hopsOf, isDetour } from "../MarketSurvey.ts"
import type { Situation } from "../Situation.ts"
import { Workbench } from "../Workbench.ts"
import { credited } from "./Credited.ts"
import { callsOf, claimable, type Exits, isForfeited, type PlannedExit, type PurchaseWays, toBeLeft } from "./Exits.ts"
import { neededFor } from "./Moves.ts"
import { lineUnits, withRoom } from "./PayoutLines.ts"
import type { TokenShortage } from "./ShortText.ts"
import { callReserve } from "./SpendableTokens.ts"

/** Fees of the purchase itself, stroops: they come out of the very lumens that are bought. */
const feeAllowance = 100_000n

/** Held assets, besides lumens, that are asked about as means to buy with. */
const mostMeans = 4

/** What a debt lacks of an asset, in stroops. */
export interface Shortage extends TokenShortage {
  readonly asset: AssetId
  /** What is bought: what lacks, and the fees that come out of it. */
  readonly short: bigint
}

export const shortageOf = ({ exit }: PlannedExit, assets: Exits["assets"]): Shortage | null => {
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return null
  const { held, needed, token } = exit.refusal
  const asset = assets.get(token)
  return asset === undefined ? null : { asset, token, needed, held, short: needed - held + (asset === native ? feeAllowance : 0n) }
}

export const isAnswered = ({ answer }: PlannedExit): boolean => answer?.choice === "buy_repay_asset_then_exit"

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

/** What is bought, and for how much of what is spent at most; stroops. */
interface Bought {
  readonly asset: AssetId
  readonly amount: bigint
  readonly sendMax: bigint
}

/** A purchase by an account for itself. */
export const purchase = (source: AccountAddress, spend: AssetId, path: ReadonlyArray<AssetId>, { amount, asset, sendMax }: Bought): Purchase => ({
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
export interface PurchaseQuote {
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
export const quoteOf = (situation: Situation, world: State, ways: PurchaseWays, lacks: Shortage): PurchaseQuote | null => {
  const { input: { source }, passphrase } = situation
  const { routes, spend } = ways
  // What was earned may have no line yet.
  const opened = Workbench.open(world, source, passphrase)
  const ready = withRoom(opened, source, spend, 1n) ?? opened
  const bench = Workbench.open(credited(ready.state, source, new Map([[spend, plenty]])), source, passphrase)
  let best: Pick<PurchaseQuote, "cost" | "path"> | null = null
  for (const path of routes) {
    const cost = costOf(bench, purchase(source, spend, path, { asset: lacks.asset, amount: lacks.short, sendMax: most }), spend, lacks.asset)
    if (cost !== null && (best === null || cost < best.cost)) best = { cost, path }
  }
  return best === null ? null : { ...best, spend, available: availableFor(situation, world, spend, lacks) }
}

export const isPayable = ({ available, cost }: PurchaseQuote): boolean => cost <= available

/** Of the ways there are: the first that can be paid, else the first that leads anywhere. `means`: with what is held alone, or with what was earned as well. */
export const bestQuote = (situation: Situation, world: State, one: PlannedExit, means: "held" | "earned" = "earned"): PurchaseQuote | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  if (lacks === null) return null
  const earned = means === "held" ? new Map<AssetId, bigint>() : earnedBy(one, situation.exits.assets)
  const quotes = (situation.exits.purchases.get(one.id) ?? []).flatMap((ways) => quoteOf(situation, world, ways, lacks) ?? [])
    .map((quote) => ({ ...quote, available: quote.available + (earned.get(quote.spend) ?? 0n) }))
  return quotes.find(isPayable) ?? quotes[0] ?? null
}

import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { DecisionOption } from "../../domain/Decision.ts"
import { QuoteDrifted } from "../../domain/failure/Planning.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import type { State } from "../../ledger/State.ts"
import type { OperationOf } from "../../operations/OperationDefinition.ts"
import { lineIn } from "../Holdings.ts"
import { readHops } from "../Market.ts"
import { hopsOf, isDetour } from "../MarketSurvey.ts"
import type { Situation } from "../Situation.ts"
import { operationsOf, type Unit, unit } from "../Unit.ts"
import { Workbench } from "../Workbench.ts"
import { type Exits, isForfeited, type PlannedExit, type PurchaseWays } from "./Exits.ts"
import { lineUnits } from "./PayoutLines.ts"

/** Of a classic asset: what a debt lacks, in stroops. */
const shortageOf = ({ exit }: PlannedExit, assets: Exits["assets"]): { readonly asset: AssetId; readonly short: bigint } | null => {
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return null
  const asset = assets.get(exit.refusal.token)
  return asset === undefined || asset === native ? null : { asset, short: exit.refusal.needed - exit.refusal.held }
}

/** What it is bought with: as answered, else lumens. */
const spendAssetOf = ({ answer }: PlannedExit): AssetId => (answer?.choice === "buy_repay_asset_then_exit" ? answer.params?.spendAsset ?? native : native)

/** Reads the ways to buy what debts lack (`/paths/strict-receive`), and every book and pool on them. */
export const readPurchases = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "purchases">, ChainFailure> =>
  Effect.gen(function*() {
    const wanted = exits.planned.flatMap((one) => {
      const lacks = shortageOf(one, exits.assets)
      const spend = spendAssetOf(one)
      return lacks === null || isForfeited(one) || spend === lacks.asset ? [] : [{ id: one.id, spend, ...lacks }]
    })
    const ways = yield* Effect.forEach(wanted, ({ asset, id, short, spend }) =>
      Effect.map(api.strictReceivePaths(spend, asset, stroops(short)), (found) => ({
        id,
        asset,
        spend,
        routes: [[], ...found.map(({ path }) => path).filter((path) => isDetour(spend, path, asset))]
      })), { concurrency: 4 })
    const met = yield* readHops(api, entries, own, ways.flatMap(({ asset, routes, spend }) => routes.flatMap((route) => hopsOf(spend, route, asset))))
    return {
      purchases: new Map(ways.map(({ id, routes, spend }) => [id, { spend, routes }])),
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
  const lines = lineUnits(bench.state, operation.source, new Map([[asset, operation.destAmount]])).flatMap(operationsOf)
  const ready = lines.length === 0 ? bench : bench.attempt(lines).after
  const after = ready?.attempt([operation]).after ?? null
  if (ready === null || after === null) return null
  const fee = spend === native ? BigInt(ready.state.header.baseFee) : 0n
  return balanceOf(ready, operation.source, spend) - balanceOf(after, operation.source, spend) - fee
}

const cheapest = (situation: Situation, world: State, ways: PurchaseWays, asset: AssetId, short: bigint) => {
  const { input: { source }, passphrase } = situation
  const bench = Workbench.open(world, source, passphrase)
  let best: { readonly cost: bigint; readonly path: ReadonlyArray<AssetId> } | null = null
  for (const path of ways.routes) {
    const cost = costOf(bench, purchase(source, ways, path, asset, short, most), ways.spend, asset)
    if (cost !== null && (best === null || cost < best.cost)) best = { cost, path }
  }
  return best
}

/** A cost, and what it may rise by; rounded up. */
const withSlippage = (cost: bigint, bps: number): bigint => cost + (cost * BigInt(bps) + 9_999n) / 10_000n

/** The purchase of what a debt lacks, when the owner decided so; null otherwise. Lines come with it where there are none. */
export const purchaseOf = (situation: Situation, world: State, one: PlannedExit): ReadonlyArray<Unit> | null => {
  const lacks = shortageOf(one, situation.exits.assets)
  const ways = situation.exits.purchases.get(one.id)
  if (one.answer?.choice !== "buy_repay_asset_then_exit" || lacks === null || ways === undefined) return null
  const { source } = situation.input
  const { asset, short } = lacks
  const quote = cheapest(situation, world, ways, asset, short)
  const agreed = one.answer.params?.maxSpend ?? stroops(0n)
  const bearable = quote !== null && quote.cost <= agreed
  const sendMax = quote === null ? agreed : [withSlippage(quote.cost, situation.input.maxSlippageBps), agreed].reduce((a, b) => (a < b ? a : b))
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
      obstacle: bearable ? null : new QuoteDrifted({ decisionId: one.id, agreed: showAmount(agreed), current: quote === null ? null : showAmount(quote.cost) })
    })
  ]
}

/** The option to buy what a debt lacks; none where nothing lacks, or nothing can be bought with. */
export const purchaseOption = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const lacks = shortageOf(one, situation.exits.assets)
  const ways = situation.exits.purchases.get(one.id)
  if (lacks === null || ways === undefined) return []
  const quote = cheapest(situation, situation.world, ways, lacks.asset, lacks.short)
  if (quote === null) return [{ id: "buy_repay_asset_then_exit", note: `No way to buy it with ${ways.spend} was found; another spendAsset may have one. Add spendAsset and maxSpend.` }]
  return [{
    id: "buy_repay_asset_then_exit",
    note: `Buys the ${showAmount(lacks.short)} ${lacks.asset} that the debt lacks; refused above maxSpend.`,
    params: { spendAsset: ways.spend, maxSpend: stroops(withSlippage(quote.cost, situation.input.maxSlippageBps)) }
  }]
}

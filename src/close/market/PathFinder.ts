import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { largestAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { ConversionPath } from "../../domain/ConversionPath.ts"
import { isToken, type Sold } from "../../domain/SoldAmount.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import { TokenRoutes } from "../../tokens/TokenRoutes.ts"
import { hopsOf } from "../situation/Routes.ts"
import { readTokenAssets } from "../situation/TokenAssets.ts"
import { floorOf } from "./Floors.ts"
import { paidByPools } from "./LedgerPools.ts"
import { isThroughUnlisted } from "./UnlistedTokens.ts"

/** A way, before a floor is put under it. */
type Way = Pick<ConversionPath, "path" | "source" | "ledger"> & {
  readonly receive: bigint
  /** Whether it goes through a token that no list names. */
  readonly isDoubtful: boolean
}

/** The better of two ways: one through a token that no list names only where there is no other. */
const better = (one: Way | null, other: Way | null): Way | null => {
  if (one === null || other === null) return one ?? other
  if (one.isDoubtful !== other.isDoubtful) return one.isDoubtful ? other : one
  return other.receive > one.receive ? other : one
}

/** The path payment that the ledger API thinks best. */
const classicWay = (
  { api, entries }: { readonly api: LedgerApi["Type"]; readonly entries: LedgerEntries["Type"] },
  asset: AssetId,
  amount: bigint
): Effect.Effect<Way | null, ChainFailure> =>
  Effect.gen(function*() {
    const [best] = yield* api.strictSendPaths(asset, stroops(amount), native)
    if (best === undefined) return null
    const byPools = yield* paidByPools(entries, hopsOf(asset, best.path, native), amount)
    const receive = best.destinationAmount
    return { path: best.path, source: byPools === receive ? "pool" : "book", ledger: best.latestLedger, receive, isDoubtful: false }
  })

/** Finds ways from an asset or a token to lumens. */
export class PathFinder extends Context.Tag("closeout/close/PathFinder")<PathFinder, {
  /**
   * The best way known now, of path payments by the ledger API and of calls of pools, with its floor after slippage in basis points.
   * `amount`: base units, of an asset 10^-7. Null when there is none, when the floor would be nothing, and for lumens themselves; an
   * outage of a source that may know one is a failure.
   */
  readonly find: (from: Sold, amount: bigint, maxSlippageBps: number) => Effect.Effect<ConversionPath | null, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    PathFinder,
    Effect.gen(function*() {
      const [api, entries, routes] = [yield* LedgerApi, yield* LedgerEntries, yield* TokenRoutes]
      const { passphrase } = yield* NetworkSettings
      const lumens = assetContract(native, passphrase)

      const contractWay = (from: Sold, amount: bigint): Effect.Effect<Way | null, ChainFailure> =>
        Effect.gen(function*() {
          const token = isToken(from) ? from : assetContract(from, passphrase)
          const [route] = yield* routes.best([{ from: token, to: lumens, amount }])
          if (route === undefined || route === null || route.amountOut > largestAmount) return null
          const assets = route.through.length === 0
            ? new Map<ContractAddress, AssetId>()
            : yield* readTokenAssets(entries, passphrase, route.through)
          const path = route.through.map((one) => assets.get(one) ?? one)
          return { path, source: route.source, ledger: route.ledger, receive: route.amountOut, isDoubtful: isThroughUnlisted(route) }
        })

      /** The asset that is sold, also where it is named by its contract. */
      const assetOf = (from: Sold): Effect.Effect<AssetId | null, ChainFailure> =>
        isToken(from)
          ? Effect.map(readTokenAssets(entries, passphrase, [from]), (assets) => assets.get(from) ?? null)
          : Effect.succeed(from)

      const ways = (from: Sold, amount: bigint): Effect.Effect<ReadonlyArray<Way | null>, ChainFailure> =>
        Effect.flatMap(assetOf(from), (asset) =>
          asset === null || amount > largestAmount
            ? Effect.map(contractWay(from, amount), (way) => [way])
            : Effect.all([classicWay({ api, entries }, asset, amount), contractWay(from, amount)], { concurrency: 2 }))

      return PathFinder.of({
        find: Effect.fnUntraced(function*(from, amount, maxSlippageBps) {
          if (from === native || from === lumens) return null
          const found = yield* ways(from, amount)
          const best = found.reduce(better, null)
          // No order book was read, and one may buy it.
          if (best === null && api.absent !== null) return yield* api.absent
          const floor = best === null ? 0n : floorOf(best.receive, maxSlippageBps)
          if (best === null || floor === 0n) return null
          const { ledger, path, receive, source } = best
          return { fromAsset: from, toAsset: "native", path, estimatedReceive: stroops(receive), destMin: stroops(floor), source, ledger }
        })
      })
    })
  )
}

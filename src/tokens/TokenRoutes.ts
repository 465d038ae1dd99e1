import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { yieldTurn } from "../chain/pace/Turns.ts"
import type { ContractAddress } from "../domain/Address.ts"
import { native } from "../domain/Asset.ts"
import { type ListedPool, ProtocolRegistry, type ReadAt } from "../protocols/ProtocolRegistry.ts"
import { TokenLists } from "../registry/TokenLists.ts"
import { assetContract } from "../stellar/AssetTokens.ts"
import { bestRoute, poolsFor } from "./routes/BestRoute.ts"
import type { TokenRoute, TokenSale } from "./routes/TokenRoute.ts"
import { boundsFor, mapsOf, type VenueMap } from "./routes/WaysBetween.ts"

export type { PoolTrade, TokenRoute, TokenSale } from "./routes/TokenRoute.ts"

/** The maps of some pools; those that were made last serve as long as protocols list the same pools. */
const remembering = () => {
  let last: { readonly pools: ReadonlyArray<ListedPool>; readonly maps: ReadonlyArray<VenueMap> } = { pools: [], maps: [] }
  return (pools: ReadonlyArray<ListedPool>): ReadonlyArray<VenueMap> => {
    const isSame = pools.length === last.pools.length && pools.every(({ pool }, at) => pool === last.pools[at]?.pool)
    if (!isSame) last = { pools, maps: mapsOf(pools) }
    return last.maps
  }
}

/** Ways from token to token through pools of the registered protocols. */
export class TokenRoutes extends Context.Tag("closeout/tokens/TokenRoutes")<TokenRoutes, {
  /**
   * The best route for each sale, in their order; null where there is none. A route through a token that is neither lumens nor in the token
   * list is returned only where no other route pays. Pools are read once for all sales, on the newest ledger.
   *
   * @param at the ledger that is the newest as the request knows it; left out: it is fetched
   */
  readonly best: (sales: ReadonlyArray<TokenSale>, at?: ReadAt) => Effect.Effect<ReadonlyArray<TokenRoute | null>, ChainFailure>
}>() {
  /** Over the lists of pools that protocols share between requests, and the pools' entries as they are now. */
  static readonly layer = Layer.effect(
    TokenRoutes,
    Effect.gen(function*() {
      const { all, openPools, tradingPools } = yield* ProtocolRegistry
      const rpc = yield* ContractRpc
      const { passphrase } = yield* NetworkSettings
      const list = yield* TokenLists
      const listed = new Set([assetContract(native, passphrase), ...(list === "none" ? [] : list)])
      const isListed = (token: ContractAddress): boolean => listed.has(token)
      const mapsFor = remembering()
      return TokenRoutes.of({
        best: Effect.fnUntraced(function*(sales, newest) {
          const isNobodyThere = all.every(({ discovery, places }) => discovery === undefined && places.length === 0)
          if (sales.length === 0 || isNobodyThere) return sales.map(() => null)
          const at = newest ?? (yield* rpc.latestLedger)
          const maps = mapsFor(yield* tradingPools(at))
          const bounds = boundsFor(sales.length)
          const asked = yield* Effect.forEach(sales, (sale) => Effect.map(yieldTurn, () => poolsFor(maps, sale, { bounds, isListed })))
          const pools = new Set(asked.flatMap(({ venues }) => venues.flat().map(({ pool }) => pool)))
          if (pools.size === 0) return sales.map(() => null)
          const open = yield* openPools(at, [...pools])
          return yield* Effect.forEach(asked, (one) => Effect.map(yieldTurn, () => bestRoute(open, one, isListed)))
        })
      })
    })
  )
}

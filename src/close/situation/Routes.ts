import type { Stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"

/** Stops on the way that the ledger takes at most. */
const mostStops = 5

/** Intermediate assets of a way to lumens. */
export type Route = ReadonlyArray<AssetId>

/** An amount of an asset to be turned into lumens. */
export interface Sale {
  readonly asset: AssetId
  readonly amount: Stroops
}

/** One exchange on a way. */
export interface Hop {
  readonly from: AssetId
  readonly to: AssetId
}

/** The hops of a way from one asset to another. */
export const hopsOf = (asset: AssetId, route: Route, end: AssetId): ReadonlyArray<Hop> => {
  const stops = [asset, ...route, end]
  return stops.slice(1).map((to, index) => ({ from: stops[index] ?? native, to }))
}

/** Whether a way has stops, not too many, and comes by no asset twice. */
export const isDetour = (asset: AssetId, path: Route, end: AssetId): boolean =>
  path.length > 0 && path.length <= mostStops && new Set([asset, ...path, end]).size === path.length + 2

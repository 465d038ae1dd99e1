import type { xdr } from "@stellar/stellar-sdk"
import type { AssetId } from "../../domain/Asset.ts"
import type { Route } from "./Routes.ts"

/** The offers, their makers and the pools that conversions can meet, and the routes worth trying. */
export interface Market {
  readonly routes: ReadonlyMap<AssetId, ReadonlyArray<Route>>
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** Assets without a route because time ran out before the query. There may be one. */
  readonly unquoted: ReadonlySet<AssetId>
  /** By asset, the oldest ledger of the books on its routes. */
  readonly ledgers: ReadonlyMap<AssetId, number>
  /** Agreed sales that a build had no time to quote: they wait for a later transaction. Their assets; a plan has none. */
  readonly waiting: ReadonlySet<AssetId>
  /** Books of which only the best part was read, as `selling/buying`. */
  readonly truncated: ReadonlyArray<string>
}

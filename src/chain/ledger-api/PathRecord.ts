import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"

/** A way from one asset to another: an estimate as of `latestLedger`. */
export interface PathRecord {
  readonly sourceAmount: Stroops
  readonly destinationAmount: Stroops
  /** Intermediate assets, in order; both ends left out. */
  readonly path: ReadonlyArray<AssetId>
  readonly latestLedger: number
}

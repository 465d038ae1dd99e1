import { Effect, Schema } from "effect"
import { Amount, showAmount } from "../../domain/Amount.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Ask } from "./Ask.ts"
import { AssetObject, assetParameters } from "./Fields.ts"

/** A way from one asset to another: an estimate as of `latestLedger`. */
export interface PathRecord {
  readonly sourceAmount: Stroops
  readonly destinationAmount: Stroops
  /** Intermediate assets, in order; both ends left out. */
  readonly path: ReadonlyArray<AssetId>
  readonly latestLedger: number
}

const Resource = Schema.Struct({ source_amount: Amount, destination_amount: Amount, path: Schema.Array(AssetObject) })

const Records = Schema.Struct({ _embedded: Schema.Struct({ records: Schema.Array(Resource) }) })

/** `/paths/strict-send`. */
export const strictSendPaths = (ask: Ask) => (source: AssetId, amount: Stroops, destination: AssetId) =>
  Effect.map(
    ask.one(
      {
        path: ["paths", "strict-send"],
        searched: true,
        parameters: [...assetParameters("source_", source), ["source_amount", showAmount(amount)], ["destination_assets", destination]]
      },
      Records
    ),
    ({ latestLedger, value }) =>
      value._embedded.records
        .map((record): PathRecord => ({
          sourceAmount: record.source_amount,
          destinationAmount: record.destination_amount,
          path: record.path,
          latestLedger
        }))
        .toSorted(better)
  )

/** `/paths/strict-receive`. */
export const strictReceivePaths = (ask: Ask) => (source: AssetId, destination: AssetId, amount: Stroops) =>
  Effect.map(
    ask.one(
      {
        path: ["paths", "strict-receive"],
        searched: true,
        parameters: [["source_assets", source], ...assetParameters("destination_", destination), ["destination_amount", showAmount(amount)]]
      },
      Records
    ),
    ({ latestLedger, value }) =>
      value._embedded.records
        .map((record): PathRecord => ({
          sourceAmount: record.source_amount,
          destinationAmount: record.destination_amount,
          path: record.path,
          latestLedger
        }))
        .toSorted(cheaper)
  )

/** Less for the same; of equals, fewer hops. */
const cheaper = (left: PathRecord, right: PathRecord): number => {
  if (left.sourceAmount === right.sourceAmount) return left.path.length - right.path.length
  return left.sourceAmount < right.sourceAmount ? -1 : 1
}

/** More for the same; of equals, fewer hops. */
const better = (left: PathRecord, right: PathRecord): number => {
  if (left.destinationAmount === right.destinationAmount) return left.path.length - right.path.length
  return left.destinationAmount > right.destinationAmount ? -1 : 1
}

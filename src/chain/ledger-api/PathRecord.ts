import { Effect, Schema } from "effect"
import { Amount, showAmount } from "../../domain/Amount.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Ask } from "./Ask.ts"
import { AssetObject, assetParameters } from "./Fields.ts"

/** A way from one asset to another: an estimate as of `latestLedger`. */
export interface PathRecord {
  /** The asset it begins with. */
  readonly source: AssetId
  readonly sourceAmount: Stroops
  readonly destinationAmount: Stroops
  /** Intermediate assets, in order; both ends left out. */
  readonly path: ReadonlyArray<AssetId>
  readonly latestLedger: number
}

const Resource = Schema.Struct({ source_amount: Amount, destination_amount: Amount, path: Schema.Array(AssetObject) })

/** The asset a way begins with. */
const Named = Schema.Struct({
  source_asset_type: Schema.String,
  source_asset_code: Schema.optional(Schema.String),
  source_asset_issuer: Schema.optional(Schema.String)
})

const nameOf = ({ source_asset_code: code, source_asset_issuer: issuer, source_asset_type: type }: typeof Named.Type): string =>
  type === "native" ? type : `${code}:${issuer}`

const recordsOf = <A, I>(record: Schema.Schema<A, I>) => Schema.Struct({ _embedded: Schema.Struct({ records: Schema.Array(record) }) })

const Records = recordsOf(Resource)

const recordOf = (source: AssetId, found: typeof Resource.Type, latestLedger: number): PathRecord => ({
  source,
  sourceAmount: found.source_amount,
  destinationAmount: found.destination_amount,
  path: found.path,
  latestLedger
})

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
    ({ latestLedger, value }) => value._embedded.records.map((found) => recordOf(source, found, latestLedger)).toSorted(better)
  )

/** Assets that one question may name at most. */
export const mostSources = 15

/** `/paths/strict-receive`. An answer about an asset that was not requested does not decode. */
export const strictReceivePaths = (ask: Ask) => (sources: ReadonlyArray<AssetId>, destination: AssetId, amount: Stroops) => {
  const Buying = Schema.Struct({ ...Resource.fields, ...Named.fields }).pipe(
    Schema.filter((found) => sources.some((one) => one === nameOf(found)) || "a path from a requested asset")
  )
  return Effect.map(
    ask.one(
      {
        path: ["paths", "strict-receive"],
        searched: true,
        parameters: [
          ["source_assets", sources.join(",")],
          ...assetParameters("destination_", destination),
          ["destination_amount", showAmount(amount)]
        ]
      },
      recordsOf(Buying)
    ),
    ({ latestLedger, value }) =>
      // It is one of those in the query.
      value._embedded.records.map((found) => recordOf(nameOf(found) as AssetId, found, latestLedger)).toSorted(cheaper)
  )
}

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

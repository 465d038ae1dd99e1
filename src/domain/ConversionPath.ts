import { Schema } from "effect"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"

/** A way from an asset to lumens by strict send, with its estimate and floor. */
export const ConversionPath = Schema.Struct({
  fromAsset: AssetId,
  toAsset: Schema.Literal("native"),
  path: Schema.Array(AssetId).annotations({ description: "Intermediate assets, in order." }),
  estimatedReceive: Amount,
  destMin: Amount.annotations({ description: "Estimate x (1 - slippage), rounded down: the least that must arrive." })
}).annotations({ identifier: "ConversionPath", description: "Conversion path from an asset to lumens." })
export type ConversionPath = typeof ConversionPath.Type

import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Int } from "./Leaf.ts"
import { ProtocolName } from "./ProtocolName.ts"

/** What can be sold and bought: an asset of the ledger, or a token that is none. */
const Sellable = Schema.Union(AssetId, ContractAddress)

/** Where a way leads through. */
export const PathSource = Schema.Union(Schema.Literal("book", "pool"), ProtocolName).annotations({
  description:
    "`pool`: a path payment, all of it through liquidity pools of the ledger. `book`: a path payment that meets an order book. Else the protocol whose pools are called."
})

/** A way from an asset or a token to lumens, with its estimate and floor. */
export const ConversionPath = Schema.Struct({
  fromAsset: Sellable.annotations({ description: "As it was asked for." }),
  toAsset: Schema.Literal("native"),
  path: Schema.Array(Sellable).annotations({
    description: "Intermediate assets, in order. One that is no asset of the ledger is its contract address."
  }),
  estimatedReceive: Amount,
  destMin: Amount.annotations({ description: "Estimate x (1 - slippage), rounded down: the least that must arrive." }),
  source: PathSource,
  ledger: Int.annotations({ description: "The ledger that the estimate is as of." })
}).annotations({ identifier: "ConversionPath", description: "Conversion path from an asset to lumens." })
export type ConversionPath = typeof ConversionPath.Type

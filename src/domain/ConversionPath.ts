import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Int } from "./Leaf.ts"
import { ownProtocols, ProtocolName } from "./ProtocolName.ts"

/** A union of texts is one text in the document: clients gain nothing from two. */
export const sellable = {
  identifier: "SellableAsset",
  jsonSchema: {
    type: "string",
    description: "`native`, `CODE:ISSUER`, or the contract of a token (C...).",
    pattern: "^(native|[A-Za-z0-9]{1,12}:G[A-Z2-7]{55}|C[A-Z2-7]{55})$"
  }
}

/** What can be sold and bought: an asset of the ledger, or a token that is none. */
const Sellable = Schema.Union(AssetId, ContractAddress).annotations(sellable)

/** Where a way leads through. */
const PathSource = Schema.Union(Schema.Literal("book", "pool"), ProtocolName).annotations({
  identifier: "PathSource",
  jsonSchema: {
    type: "string",
    enum: ["book", "pool", ...ownProtocols],
    description:
      "`pool`: a path payment through liquidity pools of the ledger only. `book`: a path payment that meets an order book. Else the protocol whose pools are called."
  }
})

/** A way from an asset or a token to lumens, with its estimate and floor. */
export const ConversionPath = Schema.Struct({
  fromAsset: Sellable,
  toAsset: Schema.Literal("native").annotations({ description: "Always lumens." }),
  path: Schema.Array(Sellable).annotations({
    description: "Intermediate assets, in order. One that is no asset of the ledger is its contract address."
  }),
  estimatedReceive: Amount.annotations({ description: "Lumens that the conversion brings now, by estimate." }),
  destMin: Amount.annotations({ description: "Estimate x (1 - slippage), rounded down: the least that must arrive." }),
  source: PathSource,
  ledger: Int.annotations({ description: "The ledger that the estimate is as of." })
}).annotations({ identifier: "ConversionPath", description: "Conversion path from an asset to lumens." })
export type ConversionPath = typeof ConversionPath.Type

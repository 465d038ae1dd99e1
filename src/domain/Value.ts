import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { optional } from "./OptionalField.ts"

/** An amount of one asset or token, and what it is worth. */
export const ValueItem = Schema.Struct({
  asset: optional(AssetId).annotations({ description: "The asset. Absent where `token` stands." }),
  token: optional(ContractAddress).annotations({
    description: "In place of `asset`: a token that is no asset of the ledger."
  }),
  symbol: Schema.NullOr(Schema.String).annotations({
    description: "What people call it: the code of an asset, else what the token's contract says, which may be anything. Null: not known."
  }),
  amount: Schema.String.annotations({
    description: "Of an asset a decimal with seven fractional digits, of a token base units."
  }),
  lumens: Schema.NullOr(Amount).annotations({
    description: "What all of it sells for now, as quoted or by its agreed floor; null: not known, or it has no buyer."
  })
}).annotations({ identifier: "ValueItem", description: "An amount of one asset or token, and what it is worth in lumens." })
export type ValueItem = typeof ValueItem.Type

import { ParseResult, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { AssetId } from "../../domain/Asset.ts"
import { integerText } from "../../domain/Leaf.ts"
import { optional } from "../../domain/OptionalField.ts"

// Fields that several records of the ledger API share.

/** A sponsor; the field is absent or null where the owner pays. */
export const Sponsor = optional(Schema.NullOr(AccountAddress))

/** An integer of 64 bits, written as a string. */
export const Int64Text = integerText(19)

const Native = Schema.Struct({ asset_type: Schema.Literal("native") })

const Credit = Schema.Struct({
  asset_type: Schema.Literal("credit_alphanum4", "credit_alphanum12"),
  asset_code: Schema.String,
  asset_issuer: Schema.String
})

const objectOf = (id: AssetId): typeof Native.Type | typeof Credit.Type => {
  const [code, issuer] = id.split(":")
  return code === undefined || issuer === undefined
    ? { asset_type: "native" }
    : { asset_type: code.length <= 4 ? "credit_alphanum4" : "credit_alphanum12", asset_code: code, asset_issuer: issuer }
}

/** An asset as an object of type, code and issuer. */
export const AssetObject = Schema.transformOrFail(Schema.Union(Native, Credit), Schema.typeSchema(AssetId), {
  strict: true,
  decode: (asset) =>
    ParseResult.decodeUnknown(AssetId)(asset.asset_type === "native" ? "native" : `${asset.asset_code}:${asset.asset_issuer}`),
  encode: (id) => ParseResult.succeed(objectOf(id))
})

/** The query parameters that name an asset, each with a prefix such as `selling_`. */
export const assetParameters = (prefix: string, id: AssetId): ReadonlyArray<readonly [string, string]> =>
  Object.entries(objectOf(id)).map(([name, value]) => [`${prefix}${name}`, value])

import { Asset, StrKey } from "@stellar/stellar-sdk"
import { Option, Schema } from "effect"
import { readCanonicalAsset } from "../AssetName.ts"
import { readAmount } from "../DecimalAmount.ts"

/** A G address. */
export const Address = Schema.String.pipe(
  Schema.filter((text) => StrKey.isValidEd25519PublicKey(text) || "the address of an account (G...)")
)

/** `native` or `CODE:ISSUER`. */
export const AssetText = Schema.String.pipe(
  Schema.filter((text) => Option.isSome(readCanonicalAsset(text)) || "native or CODE:ISSUER")
)

/** `CODE:ISSUER`. */
export const IssuedAssetText = AssetText.pipe(Schema.filter((text) => text !== "native" || "an issued asset, CODE:ISSUER"))

/** An amount above zero, with up to seven decimals. */
export const AmountText = Schema.String.pipe(
  Schema.filter((text) => Option.exists(readAmount(text), (amount) => amount > 0n) || "an amount above zero with up to seven decimals")
)

/** The asset a checked text stands for. */
export const assetNamed = (text: string): Asset => {
  const [code = "", issuer] = text.split(":")
  return issuer === undefined ? Asset.native() : new Asset(code, issuer)
}

/** Issuer of a checked text that names an issued asset. */
export const issuerNamed = (text: string): string => text.split(":")[1] ?? ""

/** The stroops, or the same unit of any asset, that a checked text stands for. */
export const amountNamed = (text: string): bigint => Option.getOrElse(readAmount(text), () => 0n)

/** A C address. */
export const ContractText = Schema.String.pipe(Schema.filter((text) => StrKey.isValidContract(text) || "the address of a contract (C...)"))

/** An account or a contract. */
export const Party = Schema.Union(Address, ContractText).annotations({ message: () => "an address (G... or C...)" })

/** An amount of a token in its base units, not below zero, as far as any token can hold. */
export const BaseUnits = Schema.BigInt.pipe(Schema.betweenBigInt(0n, (1n << 127n) - 1n))

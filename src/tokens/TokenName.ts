import type { xdr } from "@stellar/stellar-sdk"
import { fieldOf } from "../stellar/AllowanceKeys.ts"
import { payloadsOf } from "../stellar/ScValCodec.ts"

/** What a token calls itself and its units, as far as that can be shown. Its contract may say anything. */
export interface TokenName {
  /** Printable ASCII, at most 32 characters. */
  readonly symbol: string | null
  /** 0 to 38. */
  readonly decimals: number | null
}

/** Neither symbol nor decimals can be shown. */
export const unnamedToken: TokenName = { symbol: null, decimals: null }

const mostDecimals = 38

const textIn = (value: xdr.ScVal | undefined): string => {
  if (value?.type === "scvString") return value.str.toString()
  return value?.type === "scvSymbol" ? value.sym.toString() : ""
}

/** A symbol as a token tells it; null where it cannot be shown. */
export const symbolIn = (value: xdr.ScVal | undefined): string | null => {
  const text = textIn(value)
  return /^[\x21-\x7e][\x20-\x7e]{0,31}$/.test(text) ? text : null
}

/** Decimals as a token tells them; null where they make no sense. */
export const decimalsIn = (value: xdr.ScVal | undefined): number | null =>
  value?.type === "scvU32" && value.u32 <= mostDecimals ? value.u32 : null

/** Where instances keep metadata: under a symbol, or as a library for tokens has it, under a variant without a payload. */
const isMetadataKey = (key: xdr.ScVal): boolean =>
  key.type === "scvSymbol" ? key.sym.toString() === "METADATA" : payloadsOf("Meta", key)?.length === 0

/** From instance storage, in either of the forms that are common; null where there is nothing of them. */
export const metadataIn = ({ storage }: xdr.ScContractInstance): TokenName | null => {
  const found = (storage ?? []).find(({ key }) => isMetadataKey(key))?.val
  const [decimals, symbol] = found === undefined ? [] : [fieldOf(found, "decimal", "decimals"), fieldOf(found, "symbol")]
  return decimals === undefined && symbol === undefined ? null : { decimals: decimalsIn(decimals), symbol: symbolIn(symbol) }
}

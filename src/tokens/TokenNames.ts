import type { xdr } from "@stellar/stellar-sdk"
import { fieldOf } from "../stellar/AllowanceKeys.ts"

/** What a token calls itself and its units, as far as that can be shown. Its contract may say anything. */
export interface TokenNames {
  /** Printable ASCII, at most 32 characters. */
  readonly symbol: string | null
  /** 0 to 38. */
  readonly decimals: number | null
}

/** Nothing that can be shown. */
export const noNames: TokenNames = { symbol: null, decimals: null }

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

/** From instance storage under `METADATA`, as the common family keeps it; null where there is nothing of that form. */
export const metadataIn = ({ storage }: xdr.ScContractInstance): TokenNames | null => {
  const found = (storage ?? []).find(({ key }) => key.type === "scvSymbol" && key.sym.toString() === "METADATA")?.val
  const [decimal, symbol] = found === undefined ? [] : [fieldOf(found, "decimal"), fieldOf(found, "symbol")]
  return decimal === undefined && symbol === undefined ? null : { decimals: decimalsIn(decimal), symbol: symbolIn(symbol) }
}

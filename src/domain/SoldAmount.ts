import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { parseAmount } from "./Amount.ts"
import type { AssetId } from "./Asset.ts"

/** Something that can be sold: an asset of the ledger, or a token by its contract. */
export type Sold = AssetId | ContractAddress

/** Whether what is sold is named by its contract. */
export const isToken: (sold: Sold) => sold is ContractAddress = Schema.is(ContractAddress)

/** The largest amount that a token contract can move, base units. */
const mostUnits = (1n << 127n) - 1n

const whole = /^[1-9][0-9]{0,38}$/

/** Base units of a token as text: no one but the token knows where its point is. Null: it is none above zero. */
export const parseUnits = (text: string): bigint | null => {
  const units = whole.test(text) ? BigInt(text) : null
  return units !== null && units <= mostUnits ? units : null
}

/** What a text stands for: of an asset a decimal, of a token contract base units. Null: it is no such amount above zero. */
export const soldAmount = (from: Sold, text: string): bigint | null => {
  if (isToken(from)) return parseUnits(text)
  const amount = parseAmount(text)
  return amount === null || amount === 0n ? null : amount
}

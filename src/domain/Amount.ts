import { type Brand, Schema } from "effect"
import { writtenAsText } from "./Leaf.ts"

/** The largest amount of a single entry. Sums of amounts may be larger. */
export const largestAmount = 9223372036854775807n

/** Stroops of lumens, or the same 10^-7 unit of any classic asset; never negative, at most 2^63 - 1. */
export type Stroops = bigint & Brand.Brand<"Stroops">

const isInRange = (value: bigint): value is Stroops => value >= 0n && value <= largestAmount

/** Brands a number of stroops that is known to be in range; outside the range it throws, which is a defect. */
export const stroops = (value: bigint): Stroops => {
  if (isInRange(value)) return value
  throw new RangeError(`${value} is not between 0 and 2^63 - 1 stroops`)
}

/** Stroops in a lumen, and 10^-7 units in one of any classic asset. */
export const lumen = 10_000_000n

/** Seven decimal places, for instance `12.5000000`. */
export const showAmount = (value: bigint): string => {
  const magnitude = value < 0n ? -value : value
  return `${value < 0n ? "-" : ""}${magnitude / lumen}.${(magnitude % lumen).toString().padStart(7, "0")}`
}

/** Base units in a token's own units: as many places as it has, at least one digit before the point. */
export const showUnits = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const decimal = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,7}))?$/

/** The stroops a decimal text stands for, or null when it is no amount the ledger can hold. */
export const parseAmount = (text: string): Stroops | null => {
  const parts = decimal.exec(text)
  if (parts === null) return null
  const value = BigInt(parts[1] ?? "0") * lumen + BigInt((parts[2] ?? "").padEnd(7, "0"))
  return value <= largestAmount ? (value as Stroops) : null
}

/** An amount on the wire: a decimal string with up to seven places; written with exactly seven. */
export const Amount = /* @__PURE__ */ writtenAsText<Stroops>({
  is: (value): value is Stroops => typeof value === "bigint" && isInRange(value),
  read: parseAmount,
  write: showAmount
}, {
  expected: "a decimal amount with at most seven fractional digits",
  description: "Decimal amount with seven fractional digits.",
  jsonSchema: { type: "string", pattern: "^[0-9]+(\\.[0-9]{1,7})?$" }
})
export type Amount = typeof Amount.Type

/** A non-negative integer on the wire as a decimal string: sequence numbers, offer ids, base units. */
export const IntegerText = /* @__PURE__ */ Schema.String.pipe(Schema.pattern(/^(0|[1-9][0-9]*)$/)).annotations({
  description: "Non-negative integer as a decimal string."
})

import { writtenAsText } from "./Leaf.ts"

/** Lumens paid for one unit of what is sold, as an exact fraction; `d` is positive. */
export interface PriceRatio {
  readonly n: bigint
  readonly d: bigint
}

/** Significant digits that a price is written with at least; whole digits are never cut. */
const digits = 15

/** The price as decimal text: exact where 15 significant digits suffice, else cut after them. */
const writePrice = ({ d, n }: PriceRatio): string => {
  const places = Math.max(0, digits + d.toString().length - n.toString().length)
  const text = ((n * 10n ** BigInt(places)) / d).toString().padStart(places + 1, "0")
  const [whole, fraction] = [text.slice(0, text.length - places), text.slice(text.length - places).replace(/0+$/, "")]
  return fraction === "" ? whole : `${whole}.${fraction}`
}

const decimal = /^([0-9]{1,60})(?:\.([0-9]{1,200}))?$/

const readPrice = (text: string): PriceRatio | null => {
  const [, whole, fraction = ""] = decimal.exec(text) ?? []
  return whole === undefined ? null : { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) }
}

const isRatio = (value: unknown): value is PriceRatio =>
  typeof value === "object" && value !== null && "n" in value && "d" in value && typeof value.n === "bigint" && typeof value.d === "bigint"

/** A price on the wire: decimal text without an exponent. */
export const Price = writtenAsText<PriceRatio>({ is: isRatio, read: readPrice, write: writePrice }, {
  expected: "a decimal price",
  description: "Lumens for one unit, as decimal text.",
  jsonSchema: { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?$" }
})

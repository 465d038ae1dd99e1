import { Option } from "effect"
import { lumen } from "../ledger/Asset.ts"
import { int64Max } from "../ledger/Int64.ts"

const decimal = /^([0-9]{1,12})(?:\.([0-9]{1,7}))?$/

/** Stroops (or the same unit of any classic asset) as the ledger API writes them: seven decimals, never an exponent. */
export const showAmount = (value: bigint): string => {
  const magnitude = value < 0n ? -value : value
  return `${value < 0n ? "-" : ""}${magnitude / lumen}.${(magnitude % lumen).toString().padStart(7, "0")}`
}

/** The stroops a decimal text stands for; none when it is no amount the ledger can hold. */
export const readAmount = (text: string): Option.Option<bigint> => {
  const parts = decimal.exec(text)
  if (parts === null) return Option.none()
  const value = BigInt(parts[1] ?? "0") * lumen + BigInt((parts[2] ?? "").padEnd(7, "0"))
  return value <= int64Max ? Option.some(value) : Option.none()
}

/** The fraction n/d with seven decimals, halves rounded up. */
export const showPrice = (n: number, d: number): string => {
  const [over, under] = [BigInt(n), BigInt(d)]
  return showAmount((2n * over * lumen + under) / (2n * under))
}

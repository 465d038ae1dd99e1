import { lumen } from "./Amount.ts"

const decimal = /^(0|[1-9][0-9]{0,30})(?:\.([0-9]{1,7}))?$/

/**
 * The 10^-7 units a decimal text stands for, or null when it is none. A sum of amounts is not an amount: two balances of the largest
 * amount are more than any single entry of the ledger can hold.
 */
export const parseTotal = (text: string): bigint | null => {
  const parts = decimal.exec(text)
  return parts === null ? null : BigInt(parts[1] ?? "0") * lumen + BigInt((parts[2] ?? "").padEnd(7, "0"))
}

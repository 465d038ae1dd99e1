import { parseTotal } from "./Total.ts"

const unitsShape = /^(0|[1-9][0-9]{0,38})$/

/** The amount in a text of a decision: base units for tokens and positions, decimals for everything else; null where there is none. */
export const amountIn = (id: string, text: string | undefined): bigint | null => {
  if (text === undefined) return null
  if (!id.startsWith("token:") && !id.startsWith("position:")) return parseTotal(text)
  return unitsShape.test(text) ? BigInt(text) : null
}

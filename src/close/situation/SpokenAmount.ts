import { showAmount, showUnits } from "../../domain/Amount.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { counted } from "../../domain/CountedNoun.ts"
import { isToken, type Sold } from "../../domain/SoldAmount.ts"
import { type TokenName, unnamedToken } from "../../tokens/TokenName.ts"
import type { Moved } from "./Moved.ts"
import type { Situation } from "./Situation.ts"

/** The name of each token, as far as it is known. */
export type TokenNames = (token: string) => TokenName

/** As read with what is held of them, or with positions that pay or owe them. */
export const tokenNamesIn = ({ snapshot: { protocols }, tokenWork }: Pick<Situation, "snapshot" | "tokenWork">): TokenNames => {
  const tokens = new Map<string, TokenName>(tokenWork.tokens.map(({ token }) => [token.contract, token]))
  return (token) => {
    const held = tokens.get(token)
    if (held !== undefined && held.symbol !== null) return held
    for (const reading of protocols) {
      const facts = reading._tag === "Read" ? reading.enrichment[token] : undefined
      if (facts !== undefined && facts.symbol !== null) return facts
    }
    return held ?? unnamedToken
  }
}

/** The code of an asset, and of lumens what people call them. */
export const codeOf = (asset: AssetId): string => issued(asset)?.code ?? "XLM"

/** What people call something; null: that is not known. */
export const symbolOf = (of: Sold, names: TokenNames): string | null => (isToken(of) ? names(of).symbol : codeOf(of))

const withoutZeros = (decimal: string): string => (decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal)

/** An amount for people: `12.3 AQUA`. Names are needed of tokens only. */
export const spokenAmount = ({ of, units }: Moved, names: TokenNames = () => unnamedToken): string => {
  if (!isToken(of)) return `${withoutZeros(showAmount(units))} ${codeOf(of)}`
  const { decimals, symbol } = names(of)
  return decimals === null
    ? `${counted(units, "base unit")} of ${symbol ?? of}`
    : `${withoutZeros(showUnits(units, decimals))} ${symbol ?? of}`
}

const mostSpoken = 3

/** Several amounts for people; beyond three their number. */
export const spokenAmounts = (moved: ReadonlyArray<Moved>, names: TokenNames): string => {
  if (moved.length > mostSpoken) return `${moved.length} assets`
  const each = moved.map((one) => spokenAmount(one, names))
  return each.length < 2 ? each.join("") : `${each.slice(0, -1).join(", ")} and ${each.at(-1)}`
}

/** Lumens for people. */
export const spokenLumens = (stroops: bigint): string => `${withoutZeros(showAmount(stroops))} XLM`

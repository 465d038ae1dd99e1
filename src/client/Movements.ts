import { counted } from "../domain/CountedNoun.ts"
import { brief } from "./BriefAmount.ts"
import type { Plan } from "./CloseEvent.ts"
import type { Moved } from "./Outcome.ts"

/** What people call the assets and tokens of a plan, by asset or token. */
export const symbolsIn = ({ decisionPoints, steps }: Plan): ReadonlyMap<string, string> => {
  const values = [
    ...steps.flatMap(({ pays, takes }) => [...pays, ...takes]),
    ...decisionPoints.flatMap(({ about }) => ("holds" in about ? about.holds : []))
  ]
  return new Map(values.flatMap(({ asset, symbol, token }) => (symbol === null ? [] : [[asset ?? token ?? "", symbol] as const])))
}

/** What was moved, as text: amounts with the names of their assets. Tokens are in base units, because only they say how many make one. */
export const movedText = (moved: ReadonlyArray<Moved>, symbols: ReadonlyMap<string, string>): string =>
  moved.map(({ amount, asset }) => {
    if (asset === "native") return `${brief(amount)} XLM`
    const [code, issuer] = asset.split(":")
    const name = symbols.get(asset) ?? code
    return issuer === undefined ? `${counted(BigInt(amount), "base unit")} of ${name}` : `${brief(amount)} ${name}`
  }).join(", ")

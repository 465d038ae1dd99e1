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

/** What was moved, as text: amounts with the names of their assets. */
export const movedText = (moved: ReadonlyArray<Moved>, symbols: ReadonlyMap<string, string>): string =>
  moved.map(({ amount, asset }) => {
    if (asset === "native") return `${brief(amount)} XLM`
    return `${brief(amount)} ${symbols.get(asset) ?? asset.split(":")[0]}`
  }).join(", ")

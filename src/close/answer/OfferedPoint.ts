import type { DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import { paramsOf } from "../situation/Decisions.ts"

const sales: ReadonlySet<string> = new Set(["convert_to_native", "convert_through_contracts"])

/**
 * What a conversion needs though an answer without it is no malformed one: a floor, or, where a quote carries none because it is far
 * below the best price, the price impact that its owner accepts.
 */
const neededOf = ({ id, params, quote }: DecisionOption): ReadonlyArray<string> => {
  if (!sales.has(id)) return []
  return quote !== undefined && params?.minReceive === undefined ? ["acceptPriceImpactBps"] : ["minReceive"]
}

const offeredOption = (id: string, option: DecisionOption): OfferedOption => {
  const wanted = [...paramsOf(id, option), ...neededOf(option)]
  const given: Readonly<Record<string, unknown>> = option.params ?? {}
  return { ...option, needs: wanted.filter((name) => given[name] === undefined) }
}

/** The point as a plan shows it: each option with the params the caller must add. */
export const offeredPoint = (point: DecisionPoint): OfferedPoint => ({
  ...point,
  options: point.options.map((option) => offeredOption(point.id, option))
})

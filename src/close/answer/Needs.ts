import type { DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import { paramsOf } from "../model/Decisions.ts"

/** A conversion without a floor is no malformed answer, but nothing is built for it. */
const floors: Readonly<Record<string, ReadonlyArray<string>>> = {
  convert_to_native: ["minReceive"],
  convert_through_contracts: ["minReceive"]
}

const offeredOption = (id: string, option: DecisionOption): OfferedOption => {
  const wanted = [...paramsOf(id, option), ...(floors[option.id] ?? [])]
  const given: Readonly<Record<string, unknown>> = option.params ?? {}
  return { ...option, needs: wanted.filter((name) => given[name] === undefined) }
}

/** The point as a plan shows it: each option with the params the caller must add. */
export const offeredPoint = (point: DecisionPoint): OfferedPoint => ({
  ...point,
  options: point.options.map((option) => offeredOption(point.id, option))
})

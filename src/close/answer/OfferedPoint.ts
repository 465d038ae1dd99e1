import { effectOf, givesUp } from "../../domain/ChoiceEffect.ts"
import type { DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import type { DecisionAbout } from "../../domain/DecisionAbout.ts"
import { valued, type Worth } from "../project/Worth.ts"
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

/** The params that an option of a point needs and that the caller must add. */
export const missingParams = (id: string, option: DecisionOption): ReadonlyArray<string> => {
  const given: Readonly<Record<string, unknown>> = option.params ?? {}
  return [...paramsOf(id, option), ...neededOf(option)].filter((name) => given[name] === undefined)
}

const offeredOption = (id: string, option: DecisionOption, worth: Worth): OfferedOption => {
  const { loses, ...rest } = option
  return {
    ...rest,
    effect: effectOf(option.id),
    ...(loses === undefined ? {} : { loses: valued(loses, worth) }),
    needs: missingParams(id, option)
  }
}

/** What a point is about, with what it would bring where an option of the plan quotes that. */
const pricedAbout = (about: DecisionAbout, worth: Worth): DecisionAbout => {
  switch (about.kind) {
    case "pool":
      return { ...about, holds: valued(about.holds, worth) }
    case "position":
      return { ...about, holds: valued(about.holds, worth), ...(about.owes === undefined ? {} : { owes: valued(about.owes, worth) }) }
    default:
      return about
  }
}

const isLast = ({ effect }: OfferedOption): boolean => givesUp(effect)

/**
 * The point as a plan shows it: each option with its effect and the params the caller must add. Options that destroy something or leave it
 * behind come last.
 */
export const offeredPoint = (point: DecisionPoint, worth: Worth): OfferedPoint => {
  const options = point.options.map((option) => offeredOption(point.id, option, worth))
  return {
    ...point,
    about: pricedAbout(point.about, worth),
    options: [...options.filter((one) => !isLast(one)), ...options.filter(isLast)]
  }
}

import { effectOf, givesUp } from "../../domain/ChoiceEffect.ts"
import type { DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import type { DecisionAbout } from "../../domain/DecisionAbout.ts"
import { paramsOf } from "../situation/Decisions.ts"
import type { QuotedPrices } from "./QuotedPrices.ts"

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

const offeredOption = (id: string, option: DecisionOption, prices: QuotedPrices): OfferedOption => {
  const { loses, ...rest } = option
  return {
    ...rest,
    effect: effectOf(option.id),
    ...(loses === undefined ? {} : { loses: prices.valued(loses) }),
    needs: missingParams(id, option)
  }
}

/** What a point is about, with what it would bring where an option of the plan quotes that. */
const pricedAbout = (about: DecisionAbout, { valued }: QuotedPrices): DecisionAbout => {
  switch (about.kind) {
    case "pool":
      return { ...about, holds: valued(about.holds) }
    case "position":
      return { ...about, holds: valued(about.holds), ...(about.owes === undefined ? {} : { owes: valued(about.owes) }) }
    default:
      return about
  }
}

const isLast = ({ effect }: OfferedOption): boolean => givesUp(effect)

/**
 * The point as a plan shows it: each option with its effect and the params the caller must add. Options that destroy something or leave it
 * behind come last.
 */
export const offeredPoint = (point: DecisionPoint, prices: QuotedPrices): OfferedPoint => {
  const options = point.options.map((option) => offeredOption(point.id, option, prices))
  return {
    ...point,
    about: pricedAbout(point.about, prices),
    options: [...options.filter((one) => !isLast(one)), ...options.filter(isLast)]
  }
}

import { effectOf, givesUp, isSale } from "../../domain/ChoiceEffect.ts"
import type { Decision, DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import type { DecisionAbout } from "../../domain/DecisionAbout.ts"
import { valued, type Worth } from "../project/Worth.ts"
import { paramsOf } from "../situation/Decisions.ts"

/**
 * What a conversion needs though an answer without it is no malformed one: a floor, or, where a quote carries none because it is far
 * below the best price, the price impact that its owner accepts.
 */
const neededOf = ({ id, params, quote }: DecisionOption): ReadonlyArray<string> => {
  if (!isSale(id)) return []
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

/** Whether a decision for a conversion carries neither a floor nor an accepted price impact. */
const lacksFloor = ({ choice, params }: Decision): boolean =>
  isSale(choice) && params?.minReceive === undefined && params?.acceptPriceImpactBps === undefined

/** The option that the request's decision chose, with the reason why the decision does not settle the point. */
const unsettled = (option: OfferedOption): OfferedOption => ({
  ...option,
  note: `The decision of this request does not settle this point: it has no params.${
    option.params?.minReceive === undefined ? "acceptPriceImpactBps" : "minReceive"
  }. Send this option back with its params.${option.note === undefined ? "" : ` ${option.note}`}`
})

/**
 * The point as a plan shows it: each option with its effect and the params the caller must add. Options that destroy something or leave it
 * behind come last. `given`: the request's decision for it.
 */
export const offeredPoint = (point: DecisionPoint, worth: Worth, given?: Decision): OfferedPoint => {
  const isUnsettled = !point.answered && given !== undefined && lacksFloor(given)
  const options = point.options.map((option) => offeredOption(point.id, option, worth))
    .map((option) => (isUnsettled && option.id === given.choice ? unsettled(option) : option))
  return {
    ...point,
    about: pricedAbout(point.about, worth),
    options: [...options.filter((one) => !isLast(one)), ...options.filter(isLast)]
  }
}

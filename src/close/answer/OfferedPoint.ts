import { effectOf, givesUp, isSale } from "../../domain/ChoiceEffect.ts"
import type { Decision, DecisionOption, DecisionPoint, OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import type { DecisionAbout } from "../../domain/DecisionAbout.ts"
import type { PlanChanged } from "../../domain/failure/Planning.ts"
import { valued, type Worth } from "../project/Worth.ts"
import type { AnswerFailure } from "../situation/AnswerFailure.ts"
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

const changed = ({ changes: [change] }: PlanChanged): string => {
  if (change?.agreed !== undefined && change.current !== undefined) return `Agreed: ${change.agreed}. Now: ${change.current}.`
  return change?.kind === "amount" ? "It covers less than there is now." : "What it is about has changed."
}

/** Why a decision cannot be carried out as it was agreed, in words. */
const unfitness = (failure: AnswerFailure): string => {
  switch (failure._tag) {
    case "TransferDestinationUnusable":
      return failure.problems.join(" ")
    case "QuoteDrifted":
      return `Agreed: ${failure.agreed}. Now: ${failure.current ?? "it cannot be sold"}.`
    case "PlanChanged":
      return changed(failure)
    case "SimulationFailed":
    case "TokenUnsafe":
      return `The service cannot make the call: ${failure.reason}.`
    case "ConversionFloorMissing":
      return failure.message
  }
}

/** The request's decision about a point, and why it cannot be carried out; null where nothing speaks against it. */
export interface GivenDecision {
  readonly decision: Decision
  readonly failure: AnswerFailure | null
}

/** Why a decision does not settle its point, in words; null where its option says it already. */
const reasonOf = ({ params }: OfferedOption, { decision, failure }: GivenDecision): string | null => {
  if (lacksFloor(decision)) {
    const lacking = params?.minReceive === undefined ? "acceptPriceImpactBps" : "minReceive"
    return `It has no params.${lacking}. Send this option back with its params.`
  }
  return failure === null ? null : unfitness(failure)
}

/** The option that the request's decision chose, with the reason why the decision does not settle the point. */
const unsettled = (option: OfferedOption, given: GivenDecision): OfferedOption => {
  const reason = reasonOf(option, given)
  if (reason === null) return option
  const note = option.note === undefined ? "" : ` ${option.note}`
  return { ...option, note: `The decision of this request does not settle this point. ${reason}${note}` }
}

/**
 * The point as a plan shows it: each option with its effect and the params the caller must add. Options that destroy something or leave it
 * behind come last. `given`: the request's decision for it, if there is one.
 */
export const offeredPoint = (point: DecisionPoint, worth: Worth, given: GivenDecision | null = null): OfferedPoint => {
  const options = point.options.map((option) => offeredOption(point.id, option, worth))
    .map((option) => (!point.answered && option.id === given?.decision.choice ? unsettled(option, given) : option))
  return {
    ...point,
    about: pricedAbout(point.about, worth),
    options: [...options.filter((one) => !isLast(one)), ...options.filter(isLast)]
  }
}

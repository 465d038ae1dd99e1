import { isAccountAddress } from "../domain/Address.ts"
import { baseAccount, isDestinationAddress, isMuxed } from "../domain/DestinationAddress.ts"
import { type Breach, breach } from "../operations/Around.ts"
import type { Expected } from "../operations/Expected.ts"
import { memoXdr } from "./MemoRule.ts"

const isRepeated = (ids: ReadonlyArray<string>): boolean => new Set(ids).size < ids.length

const mediatorProblem = ({ destination, mediator, memo, source }: Expected): string | null => {
  if (mediator === undefined) return null
  const { address, memoType } = mediator
  if (!isAccountAddress(address) || address === source || address === destination) return "The mediator is no third account."
  if (isDestinationAddress(destination) && isMuxed(destination)) return "No mediator pays an id behind an account (M...)."
  return memoType === "none" || memo?.type === memoType ? null : `The exchange asks for a memo of the type ${memoType}.`
}

const partiesProblem = ({ destination, memo, source }: Expected): string | null => {
  if (!isAccountAddress(source)) return "The source is no account address."
  if (!isDestinationAddress(destination) || baseAccount(destination) === source) return "The destination is no other account address."
  return isMuxed(destination) && memo !== null ? "A muxed address (M...) carries an id in place of a memo." : null
}

const numbersProblem = ({ balanceStroops, feeCap, floors, now, sequence }: Expected): string | null => {
  if ([sequence, balanceStroops, feeCap].some((one) => one < 0n)) return "Sequence, balance and fee cap are not below zero."
  if (Object.values(floors).some((floor) => floor < 1n)) return "A floor of nothing is none."
  return Number.isSafeInteger(now) && now > 0 ? null : "The time is no whole number of seconds."
}

const problems = (expected: Expected): ReadonlyArray<string | null> => [
  partiesProblem(expected),
  mediatorProblem(expected),
  memoXdr(expected.memo) !== null ? null : "The memo is none that the ledger takes.",
  numbersProblem(expected),
  isRepeated(expected.decisions.map(({ id }) => id)) ? "A decision stands there twice." : null
]

/** Why what a caller gave cannot be used: then nothing is admitted. */
export const inputBreaches = (expected: Expected): ReadonlyArray<Breach> =>
  problems(expected).flatMap((problem) => (problem === null ? [] : breach("unusable_input", problem)))

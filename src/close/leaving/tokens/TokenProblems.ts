import { Match } from "effect"
import { showAmount } from "../../../domain/Amount.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import type { Decision } from "../../../domain/Decision.ts"
import { PlanChanged, QuoteDrifted, SimulationFailed, TokenUnsafe } from "../../../domain/failure/Planning.ts"
import type { LedgerGap } from "../../../domain/LedgerGap.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { coversGap } from "../../situation/AgreedGap.ts"
import type { AnswerFailure } from "../../situation/AnswerFailure.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"
import { largestResourceFee } from "../../situation/FeeSettings.ts"
import { repeatedCallFailure, type RepeatedFailure, repeatedFailureNote, repeatedSaleFailure } from "../../situation/RepeatedFailure.ts"
import { madeBefore } from "../../situation/SameCall.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isGivenUp, type PlannedAllowance, type PlannedToken, type UnreadableToken } from "../../situation/TokenWork.ts"

/** Why an answer about a token or an allowance cannot be carried out, in words; `failure`: what a build answers, null where it asks. */
export interface TokenProblem {
  readonly reason: string
  readonly failure: AnswerFailure | null
  /** Stroops of resource fee that the owner may accept by name; null: it is not the fee. */
  readonly fee: bigint | null
  /** Whether the owner may have it tried once more, by an answer that carries the account's sequence number. */
  readonly again: boolean
}

const problem = (reason: string, more: Partial<TokenProblem> = {}): TokenProblem => ({
  reason,
  failure: null,
  fee: null,
  again: false,
  ...more
})

const failed = ({ reason }: { readonly reason: string }): TokenProblem =>
  problem(`The call fails when simulated: ${reason}.`, { failure: new SimulationFailed({ reason }) })

const refused = (): TokenProblem => failed({ reason: "its contract rejects it" })

const feeProblem = ({ resourceFee }: { readonly resourceFee: bigint }): TokenProblem =>
  resourceFee > largestResourceFee
    ? failed({ reason: `it needs a resource fee of ${showAmount(resourceFee)} lumens, more than this service builds` })
    : problem(
      `The call needs a resource fee of ${showAmount(resourceFee)} lumens, more than this service pays without a decision.`,
      { fee: resourceFee }
    )

const noProblem = (): null => null

/** What came of simulating a call that matters to its owner; null: it can be made, or is not known yet. */
const ofSimulation = (token: string, simulation: CallSimulation): TokenProblem | null =>
  Match.valueTags(simulation, {
    Unsafe: ({ reason }) => problem(`The service does not return this call: ${reason}.`, { failure: new TokenUnsafe({ token, reason }) }),
    Failed: failed,
    Changed: failed,
    Unavailable: failed,
    TooDear: feeProblem,
    Short: refused,
    CannotReceive: refused,
    TooEarly: refused,
    Endless: refused,
    Ready: noProblem,
    Restore: noProblem,
    Unreached: noProblem
  })

type Past = Pick<Situation, "tokenWork">

/** The sequence number of the account that an answer was given at. */
const heardAt = (answer: Decision | undefined): bigint => BigInt(answer?.params?.sequence ?? "0")

/** A call that the ledger refused again and again is not made once more without its owner's word since. */
const ofFailures = (before: RepeatedFailure | null, answer: Decision | undefined): TokenProblem | null =>
  before === null || heardAt(answer) >= before.sequence
    ? null
    : problem(`The ledger rejected this call ${counted(before.times, "time")} for the same cause (${before.cause}), and charged the fee.`, {
      again: true
    })

/** The same of a route that is sold by. Routes that did not fail were looked for first, so that no other pays. */
const ofRouteFailures = (situation: Situation, route: TokenRoute, answer: Decision | undefined): TokenProblem | null => {
  const before = repeatedSaleFailure(situation, route)
  return before === null || heardAt(answer) >= before.sequence ? null : problem(repeatedFailureNote(before), { again: true })
}

/** Nor is one that the ledger took already: what is there now was sent since, and could be permanently. */
const ofRepetition = ({ tokenWork: { history } }: Past, answer: Decision | undefined, call: ContractCall): TokenProblem | null => {
  const made = madeBefore(history, call)
  return made === null || heardAt(answer) >= made
    ? null
    : problem("This same call was already made, and more has arrived since.", { again: true })
}

/** Pools moved after they were read: what the sale brings now is seen when it is quoted again. */
const drifted = (decisionId: string, floor: bigint): TokenProblem => {
  const failure = new QuoteDrifted({ decisionId, agreed: showAmount(floor), current: null })
  return problem(failure.message, { failure })
}

/** What is known of something that leaves by a call. */
interface DisposedToken extends Pick<PlannedToken, "disposal" | "id" | "route" | "simulation" | "waits"> {
  readonly contract: string
  readonly answer: Decision | undefined
}

/** Why what was answered about a token cannot be done now; null: it can, or nothing was answered. */
export const tokenProblem = (situation: Situation, one: PlannedToken): TokenProblem | null =>
  saleProblem(situation, { ...one, contract: one.token.contract })

/** The same of an asset of the ledger that is sold through contracts. */
export const saleProblem = (situation: Situation, one: DisposedToken): TokenProblem | null => {
  const { answer, contract, disposal: { call, failure, price }, id, route, simulation, waits } = one
  // What an answer fits is seen when what is still to come has come.
  if (waits || answer === undefined) return null
  if (failure !== null) return problem(failure.message, { failure })
  if (simulation?._tag === "Changed") return drifted(id, price.floor)
  const ofCall = simulation === null ? null : ofSimulation(contract, simulation)
  if (ofCall !== null || call === null) return ofCall
  const ofPast = route === null
    ? ofFailures(repeatedCallFailure(situation.tokenWork.history, call), answer)
    : ofRouteFailures(situation, route, answer)
  return ofPast ?? ofRepetition(situation, answer, call)
}

/** Why an allowance that its owner wants to end cannot be ended; null: it can, or is kept. */
export const allowanceProblem = (
  situation: Situation,
  { allowance: { token }, answer, call, simulation }: PlannedAllowance
): TokenProblem | null => {
  if (call === null) return null
  return (simulation === null ? null : ofSimulation(token, simulation)) ??
    ofFailures(repeatedCallFailure(situation.tokenWork.history, call), answer)
}

/** Whether the owner leaves behind by name what cannot be read: by an answer that says so, and no other. */
export const isUnreadableAccepted = ({ answer }: UnreadableToken): boolean =>
  answer !== undefined && isGivenUp({ answer }) && answer.params?.unreadable === true

/** An answer that was given while the token could still be read. */
export const unreadableFailure = (one: UnreadableToken): PlanChanged | null =>
  one.answer === undefined || isUnreadableAccepted(one)
    ? null
    : new PlanChanged({ planHash: null, changes: [{ kind: "facts", subject: one.id }] })

/** More tokens than were agreed to be left behind together; null: not so. */
export const exceedsCount = (answer: Decision | undefined, count: number): PlanChanged | null =>
  answer === undefined || count <= (answer.params?.maxCount ?? 0)
    ? null
    : new PlanChanged({ planHash: null, changes: [{ kind: "amount", subject: answer.id, current: count.toString() }] })

/** More ledgers without a scan than were agreed; null: not so. What came in them may be anything. */
export const exceedsGap = (answer: Decision | undefined, gap: LedgerGap | null): PlanChanged | null =>
  answer === undefined || coversGap(answer.params?.gap ?? null, gap)
    ? null
    : new PlanChanged({ planHash: null, changes: [{ kind: "facts", subject: answer.id }] })

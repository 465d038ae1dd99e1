import { Effect, Either, Option } from "effect"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import type { Choice } from "../../domain/ChoiceEffect.ts"
import { Decision, type DecisionOption, type DecisionParams } from "../../domain/Decision.ts"
import { type DestinationAddress, isMuxed } from "../../domain/DestinationAddress.ts"
import { decoding, maxIssues } from "../../domain/failure/DecodeIssues.ts"
import { InvalidDecisions } from "../../domain/failure/Input.ts"
import type { Issue } from "../../domain/failure/Issue.ts"
import { isOutside, type OutsideProtocol } from "../../domain/ProtocolName.ts"
import { parseTotal } from "../../domain/Total.ts"
import { Answers } from "./Answers.ts"
import { isUnits } from "./BaseUnits.ts"
import { DecisionId, type DecisionSubject, subjectOf } from "./DecisionId.ts"
import { largestResourceFee } from "./FeeSettings.ts"

/** Answers checked between two yields to other fibers. */
const atATime = 20

/** A close call carries at most this many answers. */
export const maxDecisions = 4000

type Param = keyof DecisionParams

/** The choices of each kind of decision, with their required params. The floor of a conversion is required when it is built only. */
const choices: Record<DecisionSubject["_tag"], { readonly [One in Choice]?: ReadonlyArray<Param> }> = {
  destination: { i_control_this_address: [] },
  asset: {
    convert_to_native: [],
    convert_through_contracts: [],
    return_to_issuer: ["maxAmount"],
    transfer_to_account: ["destination", "maxAmount"]
  },
  assets_unsellable: { return_to_issuer: ["ids", "maxCount"] },
  token: { convert_to_native: [], transfer_to_account: ["destination", "maxAmount"], acknowledge_residue: ["maxAmount"] },
  tokens_others: { forfeit: ["maxCount"] },
  claim: { claim: [], add_trustline_then_claim: [], forfeit: ["maxAmount"] },
  claims: { claim: [], add_trustline_then_claim: [], forfeit: ["maxAmount"] },
  claims_others: { forfeit: ["maxCount"] },
  claims_unread: { i_accept_unread_claims: ["atLeast"] },
  later: { leave_what_came_later: ["ledger", "had"] },
  pool: { withdraw: [] },
  position: {
    exit: [],
    buy_repay_asset_then_exit: ["spendAsset", "maxSpend", "sequence"],
    exit_without_rewards: [],
    acknowledge_forfeit: ["maxAmount"]
  },
  positions: { exit: ["ids"], acknowledge_forfeit: ["ids", "maxCount"] },
  positions_others: { forfeit: ["ids", "maxCount"] },
  positions_unread: { i_accept_unread_positions: ["contracts", "gap"] },
  allowance: { revoke: [], keep: [] },
  issuer: { i_accept_abandoning_issued_assets: [] },
  sponsorship: { revoke: [], top_up_then_revoke: ["maxLumens"], transfer_sponsorship: ["newSponsor"] }
}

/** Every choice that some decision offers. */
export const offeredChoices: ReadonlySet<string> = new Set(Object.values(choices).flatMap((some) => Object.keys(some)))

/** The same, found by the name that an answer gives its choice. */
const paramsByChoice: ReadonlyMap<string, ReadonlyMap<string, ReadonlyArray<Param>>> = new Map(
  Object.entries(choices).map(([tag, some]) => [tag, new Map(Object.entries(some))])
)

/** The params that a choice of a kind of decision cannot do without; null: it offers no such choice. */
const neededParams = (tag: DecisionSubject["_tag"], choice: string): ReadonlyArray<Param> | null =>
  paramsByChoice.get(tag)?.get(choice) ?? null

const decodeAnswer = decoding(Decision)

/** What goes to the close's own destination is not given away: no maximum is needed there. Nor has what cannot be read one. */
const isOptional = (
  name: Param,
  { choice, params }: { readonly choice: string; readonly params?: DecisionParams | undefined },
  destination: DestinationAddress | null
): boolean =>
  name === "maxAmount" &&
  ((choice === "transfer_to_account" && destination !== null && params?.destination === destination) ||
    (choice === "acknowledge_residue" && params?.unreadable === true))

/** The params that an option of a decision cannot do without; none for what no decision offers. */
export const paramsOf = (id: string, option: Pick<DecisionOption, "id" | "params">): ReadonlyArray<Param> => {
  const subject = Option.getOrNull(subjectOf(id))
  const needed = subject === null ? null : neededParams(subject._tag, option.id)
  return (needed ?? []).filter((name) => !isOptional(name, { choice: option.id, params: option.params }, null))
}

/** Decimal for classic assets, base units for tokens and positions. */
const amountProblem = ({ _tag }: DecisionSubject, params: DecisionParams | undefined): string | null => {
  const isAmount = (
    text: string
  ): boolean => (_tag === "token" || _tag === "position" ? isUnits(text) : parseTotal(text) !== null)
  const wrong = (["maxAmount", "amount"] as const).find((name) => params?.[name] !== undefined && !isAmount(params[name] ?? ""))
  return wrong === undefined ? null : `params.${wrong} is not an amount`
}

/** A token's contract knows no ids behind accounts. */
const receiverProblem = ({ _tag }: DecisionSubject, { destination }: DecisionParams): string | null =>
  _tag === "token" && destination !== undefined && isMuxed(destination)
    ? "params.destination is a muxed address (M...): a token is sent to an account (G...)"
    : null

/** Whether an id names a protocol that is not registered. */
const isStrange = (subject: DecisionSubject, outside: ReadonlyArray<OutsideProtocol>): boolean =>
  "protocol" in subject && isOutside(subject.protocol) && !outside.includes(subject.protocol)

const problemOf = (answer: Decision, { destination, outside }: AnswerFacts): string | null => {
  const { choice, id, params } = answer
  if (id === DecisionId.unnamedDestination) return "this point takes no decision: send the destination in the request"
  const subject = Option.getOrNull(subjectOf(id))
  if (subject === null || isStrange(subject, outside)) return "no decision point has this id"
  const needed = neededParams(subject._tag, choice)
  if (needed === null) return `a point of type ${subject._tag} has no option with this name`
  const missing = needed.filter((name) => params?.[name] === undefined && !isOptional(name, answer, destination))
  if ((params?.maxResourceFee ?? 0n) > largestResourceFee) return "params.maxResourceFee is above 500 lumens"
  return missing.length > 0
    ? `the choice needs params ${missing.join(", ")}`
    : receiverProblem(subject, params ?? {}) ?? amountProblem(subject, params)
}

const shapeIssues = (index: number, issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
  issues.map(({ message, path }) => ({ path: [`decisions[${index}]`, ...(path === "" ? [] : [path])].join("."), message }))

/** What answers are checked by, besides themselves. */
interface AnswerFacts {
  readonly destination: DestinationAddress | null
  /** Registered protocols from other packages. */
  readonly outside: ReadonlyArray<OutsideProtocol>
}

/** The answers of a request, for a close to this destination; every one that no plan could have offered is named. */
export const answersIn = (
  given: ReadonlyArray<unknown>,
  destination: DestinationAddress | null = null,
  outside: ReadonlyArray<OutsideProtocol> = []
): Effect.Effect<Answers, InvalidDecisions> => {
  if (given.length > maxDecisions) {
    return Effect.fail(new InvalidDecisions({ issues: [{ path: "decisions", message: `may hold at most ${maxDecisions} decisions` }] }))
  }
  return Effect.flatMap(
    inTurns(() => checkedAnswers(given, { destination, outside })),
    ({ answers, issues }) =>
      issues.length === 0
        ? Effect.succeed(new Answers(answers.values()))
        : Effect.fail(new InvalidDecisions({ issues: issues.slice(0, maxIssues) }))
  )
}

/** Checks one answer after the other, until there are as many issues as a refusal names. */
function* checkedAnswers(given: ReadonlyArray<unknown>, facts: AnswerFacts): Stoppable<{
  readonly answers: ReadonlyMap<string, Decision>
  readonly issues: ReadonlyArray<Issue>
}> {
  const answers = new Map<string, Decision>()
  const issues: Array<Issue> = []
  for (const [index, raw] of given.entries()) {
    if (issues.length >= maxIssues) break
    if (index % atATime === atATime - 1 || issues.length > 0) yield
    const decoded = decodeAnswer(raw)
    if (Either.isLeft(decoded)) {
      issues.push(...shapeIssues(index, decoded.left))
      continue
    }
    const answer = decoded.right
    const problem = answers.has(answer.id) ? "this point is decided twice" : problemOf(answer, facts)
    if (problem === null) answers.set(answer.id, answer)
    else issues.push({ path: `decisions[${index}]`, message: problem })
  }
  return { answers, issues }
}

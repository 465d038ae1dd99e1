import type { DecisionPoint } from "../../domain/Decision.ts"
import { InvalidFeePayer } from "../../domain/failure/Input.ts"
import { AccountTooLarge, DestinationNotAcknowledged, NeedsDecisions, PlanBlocked, PlanChanged } from "../../domain/failure/Planning.ts"
import { dryRunRefusal } from "../project/DryRunRefusal.ts"
import { belowAccepted, notGuaranteed } from "../project/MinReceived.ts"
import type { Projection } from "../project/Projection.ts"
import { hasFloor } from "../read/CloseSales.ts"
import type { AnswerFailure } from "../situation/AnswerFailure.ts"
import type { BuildFailure, Refusal } from "../situation/BuildFailure.ts"
import { maxDecisions } from "../situation/Decisions.ts"
import type { PlannedExit } from "../situation/PlannedExit.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { differingHalves } from "./PlanHash.ts"

/** What anyone can send to an account: beyond a number of each, one decision point covers all of them. */
const given: ReadonlySet<DecisionPoint["type"]> = new Set(["claim", "claims", "token", "tokens", "allowance", "positions"])

/**
 * A close asks at most as many questions as one call can answer. What strangers give does not count, or anyone could keep an account open.
 */
export const tooLarge = (
  { exits: { planned } }: { readonly exits: { readonly planned: ReadonlyArray<Pick<PlannedExit, "gift" | "id">> } },
  { points }: Pick<Projection, "points">
): AccountTooLarge | null => {
  const gifts = new Set(planned.flatMap(({ gift, id }) => (gift === undefined ? [] : [id])))
  return points.filter(({ id, type }) => !given.has(type) && !gifts.has(id)).length > maxDecisions
    ? new AccountTooLarge({ limit: maxDecisions })
    : null
}

const unanswered = ({ points }: Projection) => points.filter(({ answered, required }) => required && !answered)

/** An answer that does not fit, and whether that is met in the next transaction, or whichever transaction it is met in. */
interface UnfitAnswer {
  readonly failure: AnswerFailure
  readonly id: string | undefined
  readonly isNext: boolean
}

/** Answers that do not fit, in the order in which they are met. */
export const unfitAnswers = (projected: Projection): ReadonlyArray<UnfitAnswer> => [
  ...projected.failures.map((one) => ({ ...one, isNext: true })),
  ...projected.transactions.flatMap(({ groups }, at) =>
    groups.flatMap(({ failure, points }) => (failure === null ? [] : [{ failure, id: points[0]?.id, isNext: at === 0 }]))
  )
]

/**
 * Whether an answer is known not to fit. A build quotes what its transaction sells and plays other agreed sales at their price, which moves no
 * market: a sale behind one of them may be seen to drift where nothing has. What exits will pay of an asset that is sold through contracts
 * goes with that sale, and stands on the books only here. Either is quoted again in the transaction that makes it.
 */
const isKnown = ({ market, tokenWork: { sales } }: Situation): (unfit: UnfitAnswer) => boolean => {
  const sold = new Set(sales.map(({ id }) => id))
  return ({ failure, isNext }) => isNext || failure._tag !== "QuoteDrifted" || (market.unquoted.size === 0 && !sold.has(failure.decisionId))
}

const ofDestination = ({ blockers }: Projection): Refusal | null => {
  const refusals = blockers.flatMap(({ failure }) => failure ?? [])
  return refusals.find(({ _tag }) => _tag === "MemoRequired") ?? refusals.find(({ _tag }) => _tag === "RegistryExpired") ?? null
}

const ofAcknowledgement = (projected: Projection): Refusal | null => {
  const point = unanswered(projected).find(({ type }) => type === "destination")
  return point === undefined ? null : new DestinationNotAcknowledged({ decisionId: point.id, choice: "i_control_this_address" })
}

/** The service remembers no plan, so it tells which half of the hash differs, and what it can see: questions that are new, answers without subject. */
const ofPlanHash = (given: string | undefined, actual: string, unused: ReadonlyArray<string>, projected: Projection): Refusal | null => {
  if (given === undefined || given === actual) return null
  const halves = differingHalves(given, actual)
  const asked = halves[0] ?? "facts"
  return new PlanChanged({
    planHash: actual,
    changes: [
      ...halves.map((kind) => ({ kind })),
      ...unanswered(projected).map(({ id }) => ({ kind: asked, subject: id })),
      ...unused.map((id) => ({ kind: "answers" as const, subject: id }))
    ]
  })
}

const ofBlockers = ({ blockers }: Projection): Refusal | null => {
  const [only, ...more] = blockers
  if (only === undefined) return null
  return (more.length === 0 ? only.failure : null) ?? new PlanBlocked({ blockers: blockers.map(({ shown }) => shown) })
}

const ofQuestions = (projected: Projection): Refusal | null => {
  const hindered = new Set(unfitAnswers(projected).map(({ id }) => id))
  const missing = unanswered(projected).map(({ id }) => id).filter((id) => !hindered.has(id))
  return missing.length === 0 ? null : new NeedsDecisions({ missing })
}

const ofUnfitAnswers = (situation: Situation, projected: Projection): Refusal | null =>
  unfitAnswers(projected).find(isKnown(situation))?.failure ?? null

const ofDryRun = ({ transactions }: Projection): Refusal | null => {
  const index = transactions.findIndex(({ applied }) => !succeeded(applied.result))
  const failing = transactions[index]
  return failing === undefined ? null : dryRunRefusal(`transactions[${index}]`, failing)
}

/** Why nothing is handed over, in the order of precedence; null when the next transaction may go out. */
export const refusalOf = (
  situation: Situation,
  projected: Projection,
  plan: { readonly given: string | undefined; readonly actual: string; readonly unused: ReadonlyArray<string> }
): Refusal | null =>
  ofDestination(projected) ??
    ofAcknowledgement(projected) ??
    ofPlanHash(plan.given, plan.actual, plan.unused, projected) ??
    ofBlockers(projected) ??
    ofQuestions(projected) ??
    ofUnfitAnswers(situation, projected) ??
    belowAccepted(situation, projected) ??
    notGuaranteed(situation, projected) ??
    ofDryRun(projected)

/** Refusals that may come of too few lumens in a projection. */
const ofLumens: ReadonlySet<string> = new Set<BuildFailure["_tag"]>(["DryRunFailed", "InsufficientLumens", "PlanBlocked"])

/** Whether a refusal may rest on sales that were played at their agreed price, the least they bring: quoted, they may bring the lumens that lack. */
export const restsOnPrices = ({ input, market }: Situation, { _tag }: { readonly _tag: string }): boolean =>
  ofLumens.has(_tag) && [...market.unquoted].some((asset) => hasFloor(input, { asset }))

/**
 * The last transaction into an exchange is paid by the account itself: its amount rests on the fee it bids, and the mediator signs no
 * fee bump. Transactions before it may be paid by another account.
 */
export const feePayerRefusal = ({ input }: Situation, { transactions }: Projection): InvalidFeePayer | null =>
  input.feePayer === "fee_bump" && transactions[0]?.reason === "mediator"
    ? new InvalidFeePayer({
      reason: "The account itself must pay the fee of the last transaction into this exchange. Use feePayer source."
    })
    : null

import { BigInt as Big, Context, Effect, Layer } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import { showAmount, type Stroops, stroops } from "../../domain/Amount.ts"
import { blocker, type PlanBlocker } from "../../domain/Blocker.ts"
import type { BelowAcceptedMinimum } from "../../domain/failure/Planning.ts"
import { showTime } from "../../domain/Instant.ts"
import type { Network } from "../../domain/Network.ts"
import type { CloseRequest, Plan } from "../../domain/Plan.ts"
import { Coverage } from "../../protocols/Coverage.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { minimumBalance } from "../../stellar/Entries.ts"
import { Admission, Computing } from "../load/Admission.ts"
import { largeEnvelopes } from "../project/LargeEnvelopes.ts"
import { belowAccepted, isUncertain, minReceived } from "../project/MinReceived.ts"
import { amountWarnings, planWarnings, priceWarnings } from "../project/PlanWarnings.ts"
import type { Projection } from "../project/Projection.ts"
import { heaviestSigning } from "../project/Signers.ts"
import { unverified } from "../project/Unverified.ts"
import { quotedWorth, worthIn } from "../project/Worth.ts"
import { Completion } from "../read/Completion.ts"
import { SituationReader } from "../read/SituationReader.ts"
import type { PlanFailure } from "../situation/BuildFailure.ts"
import { closeInput } from "../situation/CloseInput.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { tokenNamesIn } from "../situation/SpokenAmount.ts"
import { unusedDecisions } from "../situation/UsedDecisions.ts"
import { acceptedClose, type PlayedClose } from "./AcceptedClose.ts"
import { checkedProjection, planHashOf } from "./CheckedProjection.ts"
import { completePlan } from "./CompletePlan.ts"
import { gateWarnings } from "./GateWarnings.ts"
import { offeredPoint } from "./OfferedPoint.ts"
import { otherOrigins } from "./OtherOrigins.ts"
import { planStatus } from "./PlanStatus.ts"
import { alikeSteps, planSteps, planTransactions } from "./PlanSteps.ts"
import { unfitAnswers } from "./Refusals.ts"
import { suggestedAtRisk, suggestedDecisions } from "./SuggestedDecisions.ts"

/** The status of a plan that needs another answer where its total is below the accepted amount. */
const statusOf = (status: Plan["status"], below: BelowAcceptedMinimum | null): Plan["status"] =>
  status === "ready" && below !== null ? "needs_decisions" : status

const verification = ({ transactions }: Projection, doubts: Plan["projection"]["unverified"]): Plan["projection"]["status"] => {
  if (transactions.some(({ applied }) => !succeeded(applied.result))) return "failed"
  return doubts.length > 0 ? "partial" : "verified"
}

/** Lumens that a plan promises; null where what will arrive is not known yet. */
const promised = (projected: Projection, lumens: bigint): Stroops | null => (isUncertain(projected) ? null : stroops(lumens))

const projectionOf = (situation: Situation, projected: Projection): Plan["projection"] => {
  const doubts = unverified(situation, projected)
  return { status: verification(projected, doubts), unverified: doubts }
}

/** The moment before which a position keeps the account open, else from which more could be claimed than now; null when waiting brings nothing. */
const waitUntil = ({ claims, waiting }: Projection): string | null => {
  if (waiting !== null) return showTime(waiting.merge)
  const first = claims.reduce<bigint | null>(
    (soonest, { laterFrom }) => (laterFrom !== null && (soonest === null || laterFrom < soonest) ? laterFrom : soonest),
    null
  )
  return first === null ? null : showTime(first)
}

const estimateOf = (situation: Situation, projected: Projection): Plan["estimate"] => {
  const { snapshot } = situation
  const { received, transactions } = projected
  const fee = transactions.reduce((sum, { applied }) => sum + applied.feeCharged, 0n)
  return {
    feeLumens: stroops(fee),
    freedReserveLumens: stroops(minimumBalance(snapshot.accountEntry, snapshot.header.baseReserve)),
    receivedLumens: promised(projected, received),
    minReceivedLumens: promised(projected, Big.max(minReceived(situation, projected) - suggestedAtRisk(situation, projected), 0n)),
    transactionCount: projected.open ? null : transactions.length,
    waitUntil: waitUntil(projected)
  }
}

const belowBlocker = ({ accepted, current }: BelowAcceptedMinimum): PlanBlocker =>
  blocker(
    "below_accepted_minimum",
    `At current quotes the close brings ${showAmount(current)} lumens after its largest possible fees. The request accepts no less than ${
      showAmount(accepted)
    }.`
  )

function* planFrom(network: Network, { applied, projected, situation }: PlayedClose): Stoppable<Plan> {
  const { blockers, points, transactions } = projected
  const worth = quotedWorth(points)
  // The first failure of a point counts.
  const failures = new Map(unfitAnswers(projected).toReversed().map(({ failure, id }) => [id, failure]))
  const decisionPoints = points.map((point) => {
    const decision = situation.input.answers.to(point)
    return offeredPoint(point, worth, decision === undefined ? null : { decision, failure: failures.get(point.id) ?? null })
  })
  yield
  const { hash, used } = yield* planHashOf(network, situation, projected)
  yield
  const groups = alikeSteps(transactions)
  const steps = planSteps(groups, { names: tokenNamesIn(situation), worth: worthIn(transactions) })
  yield
  const warnings = [
    ...planWarnings(situation),
    ...amountWarnings(situation, projected),
    ...priceWarnings(situation, points),
    ...largeEnvelopes(situation, projected.transactions),
    ...gateWarnings(situation, transactions)
  ]
  yield
  const signing = heaviestSigning(transactions)
  yield
  const below = belowAccepted(situation, projected)
  return {
    planHash: hash,
    status: statusOf(planStatus({ blockers, points: decisionPoints, answers: situation.input.answers }), below),
    snapshot: {
      ledger: situation.snapshot.header.ledgerSeq,
      sequence: situation.snapshot.state.sequence,
      balanceLumens: situation.snapshot.state.nativeBalanceLumens,
      readAt: situation.snapshot.readAt
    },
    steps,
    decisionPoints,
    unusedDecisions: unusedDecisions(situation, used),
    suggestedDecisions: suggestedDecisions(situation, points),
    ...(applied === null ? {} : { appliedDecisions: applied }),
    blockers: [...blockers.map(({ shown }) => shown), ...(below === null ? [] : [belowBlocker(below)])],
    warnings,
    estimate: estimateOf(situation, projected),
    transactions: planTransactions(situation, projected, groups),
    signing,
    projection: projectionOf(situation, projected)
  }
}

/** Plans the close of an account: what happens in which order, what its owner must decide, what blocks the close. */
export class Planner extends Context.Tag("closeout/close/Planner")<Planner, {
  /** The plan for the current ledger state. Problems of the account are part of the plan; only invalid input and outages fail. */
  readonly plan: (request: CloseRequest) => Effect.Effect<Plan, PlanFailure>
}>() {
  static readonly layer = Layer.effect(
    Planner,
    Effect.gen(function*() {
      const accepted = yield* acceptedClose
      const situations = yield* SituationReader
      const completion = yield* Completion
      const { admit } = yield* Admission
      const fromOthers = yield* otherOrigins
      const computing = yield* Computing
      const registry = yield* ExchangeRegistry
      const { outside } = yield* Coverage
      const { network } = yield* NetworkSettings
      const plan = Effect.fnUntraced(function*(request: CloseRequest) {
        const input = yield* closeInput(request, registry.about, outside)
        const shown = (close: PlayedClose) => inTurns(() => planFrom(network, close))
        const planOf = (situation: Situation) =>
          Effect.flatMap(checkedProjection(computing, situation), (projected) => shown({ situation, projected, applied: null }))
        const work: Effect.Effect<Effect.Effect<Plan, PlanFailure>, PlanFailure> = input.accept === null
          ? Effect.map(situations.read(input), planOf)
          : Effect.map(accepted(input, "plan"), shown)
        // Within this request the account was found gone, and is not read again.
        const read = work.pipe(
          Effect.catchTag(
            "AccountNotFound",
            () => Effect.map(completion.of(input), (completed) => Effect.succeed(completePlan(network, input, completed)))
          )
        )
        return yield* admit("close")(Effect.flatten(fromOthers(read)))
      })
      return { plan }
    })
  )
}

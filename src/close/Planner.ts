import { Context, Effect, Layer, Option } from "effect"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { pinned } from "../chain/Pinned.ts"
import { breathe } from "../chain/Turns.ts"
import { stroops } from "../domain/Amount.ts"
import { dashed } from "../domain/Asset.ts"
import type { InvalidDecisions, InvalidFeePayer } from "../domain/failure/Input.ts"
import type { AccountTooLarge } from "../domain/failure/Planning.ts"
import type { ServiceBusy } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import type { CloseRequest, Plan } from "../domain/Plan.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import { agreedSales } from "./AgreedMarket.ts"
import { amountWarnings } from "./AmountChanged.ts"
import { answersInUse, unusedAnswers } from "./AnswersInUse.ts"
import type { PlanFailure } from "./BuildFailure.ts"
import { closeInput } from "./CloseInput.ts"
import { completePlan } from "./CompletePlan.ts"
import { Completion } from "./Completion.ts"
import { Computing } from "./Computing.ts"
import { undecidedGifts } from "./exits/GiftWarnings.ts"
import { assumedPurchases } from "./exits/RepayPurchase.ts"
import { stillShort } from "./exits/StillShort.ts"
import { minimumBalance } from "./Holdings.ts"
import { leastReceived } from "./LeastReceived.ts"
import { offeredPoint } from "./Needs.ts"
import { notOffered } from "./NotOffered.ts"
import { factsOf, planHash } from "./PlanHash.ts"
import { covers, planSteps } from "./PlanSteps.ts"
import { planWarnings } from "./PlanWarnings.ts"
import { type Projected, project } from "./Projection.ts"
import { resultCodes, succeeded } from "./ResultCodes.ts"
import { feePayerRefusal } from "./Refusals.ts"
import { tooLarge } from "./DecisionCount.ts"
import { delivered } from "./Delivered.ts"
import { heaviestSigning } from "./Signers.ts"
import type { Situation } from "./Situation.ts"
import { simulatedIn } from "./Round.ts"
import { showTime } from "./ShowTime.ts"
import { SituationReader } from "./SituationReader.ts"

const statusOf = ({ findings, points }: Projected): Plan["status"] =>
  findings.length > 0 ? "blocked" : points.some(({ answered, required }) => required && !answered) ? "needs_decisions" : "ready"

const unverified = (situation: Situation, { findings, merges, open, points, presumed, rounds, waiting }: Projected): ReadonlyArray<string> => [
  ...presumed,
  ...(findings.length > 0 && !merges ? ["Something blocks the close, so its end could not be projected."] : []),
  ...points.filter(({ answered, id, required }) => required && !answered && id.startsWith("asset:"))
    .map(({ id }) => `${id} is not decided; the projection assumes the conversion where there is a quote, else the return to the issuer.`),
  ...undecidedGifts(situation.exits),
  ...assumedPurchases(situation),
  ...agreedSales([...situation.market.unquoted].map((asset) => ({ asset, amount: stroops(0n) })), situation.market.unquoted, situation.input.answers)
    .map(({ asset }) => `asset:${dashed(asset)} was not quoted in time; the projection plays it at its agreed floor.`),
  ...rounds.flatMap(({ doubt, simulatedAt }, index) => doubt ?? (simulatedAt === null ? [] : `What transaction ${index + 1} does is as simulated on ledger ${simulatedAt}.`)),
  ...stillShort(situation.exits),
  ...(waiting === null ? [] : [`A position cools down until ${showTime(waiting.merge)}; what follows is not projected.`]),
  ...(waiting === null && open && findings.length === 0 ? ["How a position is left is known only after the next transaction; what follows is not projected."] : []),
  ...(merges || findings.length > 0 || open ? [] : ["Without a destination there is no merge in the projection."]),
  ...situation.market.truncated.map((book) => `Only the best offers of the book ${book} were read; more may arrive than projected.`)
]

const projectionOf = (situation: Situation, projected: Projected): Plan["projection"] => {
  const { received, rounds } = projected
  const doubts = unverified(situation, projected)
  const failed = rounds.some(({ applied }) => !succeeded(applied.result))
  return {
    status: failed ? "failed" : doubts.length > 0 ? "partial" : "verified",
    receivedLumens: stroops(received),
    feeLumens: stroops(rounds.reduce((sum, { applied }) => sum + applied.feeCharged, 0n)),
    transactions: rounds.map((round, index) => ({
      order: index + 1,
      covers: covers(round),
      ...resultCodes(round.applied.result),
      feeLumens: stroops(round.applied.feeCharged),
      receivedLumens: stroops(delivered(round)),
      simulated: simulatedIn(round)
    })),
    unverified: doubts
  }
}

/** The moment before which a position keeps the account open, else from which more could be claimed than now; null when waiting brings nothing. */
const waitUntil = ({ claims, waiting }: Projected): string | null => {
  if (waiting !== null) return showTime(waiting.merge)
  const first = claims.reduce<bigint | null>((soonest, { laterFrom }) => (laterFrom !== null && (soonest === null || laterFrom < soonest) ? laterFrom : soonest), null)
  return first === null ? null : showTime(first)
}

const estimateOf = ({ input, mostFeePerOperation, snapshot }: Situation, projected: Projected): Plan["estimate"] => {
  const { received, rounds } = projected
  const fee = rounds.reduce((sum, { applied }) => sum + applied.feeCharged, 0n)
  return {
    feeStroops: fee.toString(),
    feeLumens: stroops(fee),
    freedReserveLumens: stroops(minimumBalance(snapshot.accountEntry, snapshot.header.baseReserve)),
    receivedLumens: stroops(received),
    minReceivedLumens: stroops(leastReceived(projected, mostFeePerOperation, input.feePayer)),
    transactionCount: rounds.length,
    signatureRounds: rounds.length,
    waitUntil: waitUntil(projected)
  }
}

const planOf = (
  computing: Context.Tag.Service<Computing>,
  network: Network,
  situation: Situation
): Effect.Effect<Plan, AccountTooLarge | InvalidDecisions | InvalidFeePayer | ServiceBusy> =>
  Effect.gen(function*() {
    const projected = yield* computing.run(() => project(situation))
    const unfit = notOffered(situation.input, projected.points) ?? tooLarge(projected) ?? feePayerRefusal(situation, projected)
    if (unfit !== null) return yield* unfit
    yield* breathe
    return planFrom(network, situation, projected)
  })

const planFrom = (network: Network, situation: Situation, projected: Projected): Plan => {
  const { findings, points, rounds } = projected
  const used = answersInUse(situation, projected.points)
  return {
    planHash: planHash(network, situation.input, used, factsOf(situation, situation.world)),
    status: statusOf(projected),
    snapshot: {
      ledger: situation.snapshot.header.ledgerSeq,
      sequence: situation.snapshot.state.sequence,
      readAt: situation.snapshot.readAt
    },
    steps: planSteps(rounds),
    decisionPoints: points.map(offeredPoint),
    unusedDecisions: unusedAnswers(situation, used),
    blockers: findings.map(({ blocker }) => blocker),
    warnings: [...planWarnings(situation), ...amountWarnings(situation, projected)],
    estimate: estimateOf(situation, projected),
    execution: {
      estimatedTransactionCount: projected.open ? null : rounds.length,
      transactions: rounds.map((round, index) => ({
        order: index + 1,
        covers: covers(round),
        ...(round.reason === null ? {} : { reason: round.reason })
      }))
    },
    signing: heaviestSigning(rounds),
    projection: projectionOf(situation, projected)
  }
}

/** Plans the close of an account: what happens in which order, what its owner must decide, what stands in the way. */
export class Planner extends Context.Tag("closeout/close/Planner")<Planner, {
  /** The plan for what is on the ledger now; whatever is found there is part of the plan, only bad input and outages fail. */
  readonly plan: (request: CloseRequest) => Effect.Effect<Plan, PlanFailure>
}>() {
  static readonly layer = Layer.effect(
    Planner,
    Effect.gen(function*() {
      const situations = yield* SituationReader
      const completion = yield* Completion
      const computing = yield* Computing
      const registry = yield* ExchangeRegistry
      const { network } = yield* NetworkSettings
      const plan = Effect.fn("Planner.plan")(function*(request: CloseRequest) {
        const input = yield* closeInput(request, (address) => Option.getOrNull(registry.lookup(address)))
        return yield* pinned(network, situations.read(input, "plan")).pipe(
          Effect.flatMap((situation) => planOf(computing, network, situation)),
          Effect.catchTag("AccountNotFound", () => Effect.map(completion.of(input), (completed) => completePlan(network, input, completed)))
        )
      })
      return { plan }
    })
  )
}

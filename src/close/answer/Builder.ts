import { Transaction } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Option } from "effect"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { pinned } from "../../chain/Pinned.ts"
import { SecondWitness } from "../../chain/SecondWitness.ts"
import type { CloseTransaction, TransactionsRequest, TransactionsResult } from "../../domain/CloseTransaction.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import { PositionCoolingDown, PositionExitUnavailable } from "../../domain/failure/Planning.ts"
import { ContractRpcLagging, DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { isPlayed } from "../model/AgreedMarket.ts"
import { answersInUse, unusedAnswers } from "../model/UsedDecisions.ts"
import type { BuildFailure } from "../model/BuildFailure.ts"
import { closeInput } from "../model/CloseInput.ts"
import { balanceDoubt } from "./BalanceGate.ts"
import { completeTransactions } from "./CompletePlan.ts"
import { Completion } from "../read/Completion.ts"
import { Computing } from "../project/Computing.ts"
import { purchaseMark, toBeLeft } from "../model/Exits.ts"
import { tooLarge } from "./Refusals.ts"
import { intentOf } from "./IntentOf.ts"
import { nextActions } from "./NextActions.ts"
import { notOffered } from "../model/UsedDecisions.ts"
import { factsOf, planHash } from "./PlanHash.ts"
import { covers, coversTargets, planSteps } from "./PlanSteps.ts"
import { pointsOf, type Projected, project } from "../project/Projection.ts"
import { mergeGate } from "./MergeGate.ts"
import { feePayerRefusal, refusalOf } from "./Refusals.ts"
import { resultCodes } from "../model/ResultCodes.ts"
import { type Round, simulatedIn } from "../project/Round.ts"
import { showTime } from "../model/ShowTime.ts"
import { nextOperations } from "../project/NextOperations.ts"
import { signingOf } from "../project/Signers.ts"
import type { Situation } from "../model/Situation.ts"
import { operationsOf } from "../model/Unit.ts"
import { SituationReader } from "../read/SituationReader.ts"
import { SourceAgreement } from "../read/SourceAgreement.ts"
import { witnessGate } from "./WitnessGate.ts"

const transactionOf = (situation: Situation, round: Round): CloseTransaction => ({
  id: "tx-1",
  order: 1,
  dependsOn: [],
  xdr: round.envelope.toXdr("base64"),
  hash: TransactionHash.make(Buffer.from(new Transaction(round.envelope, situation.passphrase).hash()).toString("hex")),
  networkPassphrase: situation.passphrase,
  sourceSequence: (round.holdings.account.seqNum + 1n).toString(),
  validUntilLedger: round.validUntilLedger,
  validUntil: showTime(round.validUntil),
  covers: covers(round),
  coversTargets: coversTargets(round),
  ...(round.reason === null ? {} : { reason: round.reason }),
  next: nextActions(situation, round),
  intent: intentOf(round.envelope, situation.input.source),
  signing: signingOf(round),
  dryRun: { ...resultCodes(round.applied.result), feeStroops: round.applied.feeCharged.toString(), simulated: simulatedIn(round) }
})

const nextHash = (network: Network, situation: Situation, { afterFirst, rounds }: Projected): string | null => {
  // What a contract transaction leaves behind is known only when it is read again.
  if (afterFirst === null || rounds.length < 2 || rounds[0]?.reason === "position_exit") return null
  const used = answersInUse(situation, pointsOf(situation, rounds.slice(1), afterFirst))
  // What is bought now need not be decided any more.
  const bought = new Set(toBeLeft(situation.exits).filter((one) => purchaseMark(one) === rounds[0]?.mark).map(({ id }) => id))
  return planHash(network, situation.input, new Set([...used].filter((id) => !bought.has(id))), factsOf(situation, afterFirst))
}

/** Builds the next unsigned transaction of a close. Whatever the caller skipped, every gate is asked here again. */
export class Builder extends Context.Tag("closeout/close/Builder")<Builder, {
  /** The next transaction for what is on the ledger now, or the first reason, by precedence, why there is none. */
  readonly next: (request: TransactionsRequest) => Effect.Effect<TransactionsResult, BuildFailure>
}>() {
  static readonly layer = Layer.effect(
    Builder,
    Effect.gen(function*() {
      const situations = yield* SituationReader
      const completion = yield* Completion
      const computing = yield* Computing
      const registry = yield* ExchangeRegistry
      const agreement = yield* SourceAgreement
      const witness = yield* SecondWitness
      const rpc = yield* ContractRpc
      const { network, rpcUrls } = yield* NetworkSettings
      const build = Effect.fn("Builder.build")(function*(situation: Situation, givenHash: string | undefined) {
        const [doubt] = situation.headerDoubts
        if (doubt !== undefined) return yield* doubt
        const projected = yield* computing.run(() => project(situation))
        const unfit = notOffered(situation.input, projected.points) ?? tooLarge(projected) ?? feePayerRefusal(situation, projected)
        if (unfit !== null) return yield* unfit
        const used = answersInUse(situation, projected.points)
        const unused = unusedAnswers(situation, used)
        const actual = planHash(network, situation.input, used, factsOf(situation, situation.world))
        const refusal = refusalOf(projected, { given: givenHash, actual, unused })
        if (refusal !== null) return yield* refusal
        const [round, ...later] = projected.rounds
        if (round === undefined && projected.waiting !== null) return yield* new PositionCoolingDown({ unlocksAt: showTime(projected.waiting.until) })
        const stuck = round === undefined ? toBeLeft(situation.exits)[0] : undefined
        if (stuck !== undefined) {
          const { contract: contractAddress, protocol } = stuck.position
          return yield* new PositionExitUnavailable({ protocol, contractAddress, reason: "Nothing that could be built now brings the position closer to its end." })
        }
        if (round === undefined) return yield* Effect.dieMessage("nothing to build, and nothing in the way")
        if (round.doubt !== null) return yield* Effect.dieMessage("a contract call that was not simulated")
        // A conversion that was agreed and could not be quoted in time is no conversion without a route.
        if (round.units.flatMap(operationsOf).some(isPlayed)) return yield* new DeadlineExceeded()
        yield* mergeGate(agreement, situation, round)
        const apart = balanceDoubt(situation, round)
        if (apart !== null) return yield* apart
        const warnings = yield* witnessGate(witness, network, situation, round)
        const result: TransactionsResult = {
          planHash: actual,
          nextPlanHash: nextHash(network, situation, projected),
          status: "ready",
          transactions: [transactionOf(situation, round)],
          unusedDecisions: unused,
          ...(warnings.length === 0 ? {} : { warnings }),
          remaining: { steps: planSteps(later).length, requiresAnotherCall: later.length > 0 || projected.open }
        }
        return result
      })

      const next = Effect.fn("Builder.next")(function*(request: TransactionsRequest) {
        const input = yield* closeInput(request, (address) => Option.getOrNull(registry.lookup(address)))
        const attempt = pinned(network, Effect.flatMap(situations.read(input, { purpose: "build", next: nextOperations }), (situation) => build(situation, request.planHash)))
        // Of several endpoints one that lags was asked. Comparing them puts the one that is ahead first.
        const again = Effect.zipRight(rpc.survey, attempt)
        return yield* attempt.pipe(
          Effect.catchTag("ContractRpcLagging", (lagging) => (rpcUrls.length > 1 ? again : lagging)),
          Effect.catchTag("ContractRpcLagging", (lagging) => (rpcUrls.length > 1 ? again : lagging)),
          Effect.catchTag("WitnessBehind", ({ behind }) => new ContractRpcLagging({ behind, ageSeconds: null })),
          Effect.catchTag("AccountNotFound", () => Effect.as(completion.of(input), completeTransactions(network, input)))
        )
      })
      return { next }
    })
  )
}

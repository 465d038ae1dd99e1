import { Transaction } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { inTurns, yieldTurn } from "../../chain/pace/Turns.ts"
import { SecondWitness } from "../../chain/witness/SecondWitness.ts"
import type { CloseTransaction, NextAction, TransactionsRequest, TransactionsResult } from "../../domain/CloseTransaction.ts"
import { PositionCoolingDown, PositionExitUnavailable } from "../../domain/failure/Planning.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import { showTime } from "../../domain/Instant.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import type { Network } from "../../domain/Network.ts"
import { Coverage } from "../../protocols/Coverage.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { OwnerEvents } from "../../tokens/OwnerEvents.ts"
import { unquotedClaims } from "../claims/UnquotedClaims.ts"
import { Admission, Computing } from "../load/Admission.ts"
import { isAgreedSale } from "../market/AgreedMarket.ts"
import { unquotedReturns } from "../market/UnsellableAssets.ts"
import { largeEnvelopes } from "../project/LargeEnvelopes.ts"
import { type PlannedTransaction, simulatedIn } from "../project/PlannedTransaction.ts"
import { pointsOf, type Projection } from "../project/Projection.ts"
import { signingOf } from "../project/Signers.ts"
import { worthIn } from "../project/Worth.ts"
import { Completion } from "../read/Completion.ts"
import { SourceAgreement } from "../read/SourceAgreement.ts"
import { operationsOf } from "../situation/AtomicGroup.ts"
import type { BuildFailure } from "../situation/BuildFailure.ts"
import { closeInput } from "../situation/CloseInput.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { toBeLeft } from "../situation/Exits.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { tokenNamesIn } from "../situation/SpokenAmount.ts"
import { unusedDecisions, usedDecisions } from "../situation/UsedDecisions.ts"
import { requiredWeight, usableSigners } from "../situation/Weight.ts"
import { acceptedClose, type PlayedClose } from "./AcceptedClose.ts"
import { balanceDoubt } from "./BalanceGate.ts"
import { buildSituation } from "./BuildSituation.ts"
import { checkedProjection, planHashOf } from "./CheckedProjection.ts"
import { completeTransactions } from "./CompletePlan.ts"
import { intentLabel } from "./IntentLabel.ts"
import { intentOf } from "./IntentOf.ts"
import { mergeGate } from "./MergeGate.ts"
import { factsOf, planHash } from "./PlanHash.ts"
import { alikeSteps, type AmountDisplay, covers, coversTargets } from "./PlanSteps.ts"
import { refusalOf, restsOnPrices } from "./Refusals.ts"
import { sourceFallback } from "./SourceFallback.ts"
import { witnessGate } from "./WitnessGate.ts"

const signsAlone = ({ holdings: { account } }: PlannedTransaction): boolean =>
  usableSigners(account).some(({ weight }) => weight >= requiredWeight(account, "high"))

/**
 * What the caller does with a transaction, in order. The mediator signs for five minutes where one signer suffices, so it comes first;
 * several signers sign before it, and have half an hour.
 */
const nextActions = ({ input }: Situation, planned: PlannedTransaction): ReadonlyArray<NextAction> => {
  if (planned.reason === "mediator") return signsAlone(planned) ? ["mediator_sign", "sign", "submit"] : ["sign", "mediator_sign", "submit"]
  return input.feePayer === "fee_bump" ? ["sign", "fee_bump", "submit"] : ["sign", "submit"]
}

const transactionOf = (situation: Situation, planned: PlannedTransaction, display: AmountDisplay): CloseTransaction => ({
  id: `tx-${planned.holdings.account.seqNum + 1n}`,
  dependsOn: [],
  xdr: planned.envelope.toXdr("base64"),
  hash: TransactionHash.make(Buffer.from(new Transaction(planned.envelope, situation.passphrase).hash()).toString("hex")),
  networkPassphrase: situation.passphrase,
  sourceSequence: (planned.holdings.account.seqNum + 1n).toString(),
  validUntilLedger: planned.validUntilLedger,
  validUntil: showTime(planned.validUntil),
  covers: covers(planned),
  coversTargets: coversTargets(planned),
  ...(planned.reason === null ? {} : { reason: planned.reason }),
  next: nextActions(situation, planned),
  intent: intentOf(planned.envelope, situation.input.source, {
    call: planned.call,
    label: intentLabel(planned, display),
    passphrase: situation.passphrase
  }),
  signing: signingOf(planned),
  dryRun: { ...resultCodes(planned.applied.result), feeStroops: planned.applied.feeCharged.toString(), simulated: simulatedIn(planned) }
})

const nextHash = (network: Network, situation: Situation, { afterFirst, transactions }: Projection): string | null => {
  // What a contract transaction leaves behind is known only when it is read again.
  if (afterFirst === null || transactions.length < 2 || transactions[0]?.isContract !== false) return null
  const used = usedDecisions(situation, pointsOf(situation, transactions.slice(1), afterFirst))
  // What is bought now need not be decided any more.
  const progress = transactions[0]?.progress ?? null
  const bought = progress?._tag === "Bought" ? progress.position : null
  return planHash(network, situation.input, new Set([...used].filter((id) => id !== bought)), factsOf(situation, afterFirst))
}

/** Why nothing can be built though nothing blocks the close; null: no reason is known. */
const unbuildable = ({ exits }: Situation, { waiting }: Projection): PositionCoolingDown | PositionExitUnavailable | null => {
  if (waiting !== null) return new PositionCoolingDown({ unlocksAt: showTime(waiting.until) })
  const [stuck] = toBeLeft(exits)
  if (stuck === undefined) return null
  const { contract: contractAddress, protocol } = stuck.position
  return new PositionExitUnavailable({
    protocol,
    contractAddress,
    reason: "No call that can be built now reduces the position."
  })
}

/**
 * Whether there was no time for what a transaction rests on: to simulate its call, or to quote a conversion that was agreed, which is
 * then no conversion without a route, or to look for a buyer of what is returned because there is none, or to quote what its merge leaves
 * behind.
 */
const outOfTime = (situation: Situation, { doubt, groups, merges }: PlannedTransaction): boolean =>
  doubt !== null || operationsOf(groups).some(isAgreedSale) || unquotedReturns(situation, operationsOf(groups)).length > 0 ||
  (merges && unquotedClaims(situation).size > 0)

/** Whether nothing but quotes that there was no time for keeps recommended options from being applied. */
const lacksQuotes = ({ market }: Situation, applied: PlayedClose["applied"], refusal: BuildFailure): boolean => {
  if (applied === null || refusal._tag !== "NeedsDecisions") return false
  const unquoted = new Set([...market.unquoted].map(DecisionId.asset))
  return refusal.missing.every((id) => unquoted.has(id))
}

/** Builds the next unsigned transaction of a close. Every gate runs again, also for callers that skipped the plan. */
export class Builder extends Context.Tag("closeout/close/Builder")<Builder, {
  /** The next transaction for what is on the ledger now, or the first reason, by precedence, why there is none. */
  readonly next: (request: TransactionsRequest) => Effect.Effect<TransactionsResult, BuildFailure>
}>() {
  static readonly layer = Layer.effect(
    Builder,
    Effect.gen(function*() {
      const accepted = yield* acceptedClose
      const rehearsed = yield* buildSituation
      const completion = yield* Completion
      const { admit } = yield* Admission
      const computing = yield* Computing
      const registry = yield* ExchangeRegistry
      const { outside } = yield* Coverage
      const agreement = yield* SourceAgreement
      const witness = yield* SecondWitness
      const events = yield* OwnerEvents
      const { network } = yield* NetworkSettings
      const withFallback = yield* sourceFallback

      const build = Effect.fnUntraced(function*({ applied, projected, situation }: PlayedClose, givenHash: string | undefined) {
        const [doubt] = situation.headerDoubts
        if (doubt !== undefined) return yield* doubt
        const { hash: actual, used } = yield* inTurns(() => planHashOf(network, situation, projected))
        yield* yieldTurn
        const unused = unusedDecisions(situation, used)
        const refusal = refusalOf(situation, projected, { given: givenHash, actual, unused })
        if (refusal !== null) return yield* lacksQuotes(situation, applied, refusal) ? new DeadlineExceeded() : refusal
        const [planned, ...later] = projected.transactions
        if (planned === undefined) {
          return yield* unbuildable(situation, projected) ?? Effect.dieMessage("nothing to build, and no blocker")
        }
        if (outOfTime(situation, planned)) return yield* new DeadlineExceeded()
        yield* mergeGate(agreement, situation, planned)
        const apart = balanceDoubt(situation, planned)
        if (apart !== null) return yield* apart
        const warnings = [
          ...(yield* witnessGate({ witness, events, network }, situation, planned)),
          ...largeEnvelopes(situation, [planned])
        ]
        yield* yieldTurn
        const nextPlanHash = nextHash(network, situation, projected)
        yield* yieldTurn
        const result: TransactionsResult = {
          planHash: actual,
          nextPlanHash,
          status: "ready",
          transactions: [transactionOf(situation, planned, { names: tokenNamesIn(situation), worth: worthIn(projected.transactions) })],
          unusedDecisions: unused,
          ...(applied === null ? {} : { appliedDecisions: applied }),
          ...(warnings.length === 0 ? {} : { warnings }),
          remaining: {
            steps: alikeSteps(later).length,
            transactions: projected.open ? null : later.length,
            requiresAnotherCall: later.length > 0 || projected.open
          }
        }
        return result
      })

      const next = Effect.fnUntraced(function*(request: TransactionsRequest) {
        const input = yield* closeInput(request, registry.about, outside)
        const played = Effect.fnUntraced(function*(situation: Situation) {
          const [doubt] = situation.headerDoubts
          if (doubt !== undefined) return yield* doubt
          const projected = yield* checkedProjection(computing, situation)
          return yield* build({ situation, projected, applied: null }, request.planHash)
        })
        const agreed = Effect.flatMap(rehearsed(input, "played"), (situation) =>
          Effect.catchIf(
            played(situation),
            (failure) => restsOnPrices(situation, failure),
            () => Effect.flatMap(rehearsed(input, "quoted"), played)
          ))
        const work = input.accept === null ? agreed : Effect.flatMap(accepted(input, "build"), (close) => build(close, request.planHash))
        const orComplete = Effect.catchTag(
          work,
          "AccountNotFound",
          () => Effect.map(completion.of(input), (completed) => completeTransactions(network, input, completed))
        )
        return yield* admit("close")(withFallback(orComplete))
      })
      return { next }
    })
  )
}

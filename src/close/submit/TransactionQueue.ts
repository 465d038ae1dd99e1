import { BigInt as Big, Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { TransactionRejected } from "../../domain/failure/Submitting.ts"
import type { SubmitResult } from "../../domain/SubmitResult.ts"
import { feeUnits, fullFee, inclusionFee, innermost, isSoroban, resourceFee } from "../../ledger/Transaction.ts"
import { InclusionFees, type Lane, type RequiredFees } from "../read/InclusionFees.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"
import { type OutcomeFailure, TransactionOutcomes } from "./TransactionOutcomes.ts"

const ceilDivide = (sum: bigint, units: bigint): bigint => (sum + units - 1n) / units

const laneOf = ({ transaction }: SubmittedEnvelope): Lane => (isSoroban(innermost(transaction).tx) ? "contracts" : "classic")

/** What the network named when it refused a transaction for its fee. */
interface NamedFee {
  /** Stroops for the whole transaction, the resource fee of a contract call included. */
  readonly whole: bigint
  readonly lane: Lane
  readonly perOperation: bigint
}

/**
 * The fee a refusal names; null where it is no more than was offered. What it takes to replace a transaction that waits already is no price
 * of a place in the ledger, so a fee bump names none to others.
 */
const namedFee = (submitted: SubmittedEnvelope, feeCharged: bigint): NamedFee | null => {
  if (feeCharged <= fullFee(submitted.transaction)) return null
  const bid = feeCharged - resourceFee(submitted.transaction)
  const perOperation = submitted.transaction._tag === "FeeBumpTransaction" ? 0n : ceilDivide(bid, feeUnits(submitted.transaction))
  return { whole: feeCharged, lane: laneOf(submitted), perOperation }
}

/** Stroops the whole transaction would have to offer now, at the base fee or above; null while it offers as much. */
const feeLacking = (submitted: SubmittedEnvelope, asked: RequiredFees, baseFee: number): bigint | null => {
  const { transaction } = submitted
  const perOperation = asked[laneOf(submitted)]
  const needed = Big.max(perOperation, BigInt(baseFee)) * feeUnits(transaction)
  return inclusionFee(transaction) < needed ? needed + resourceFee(transaction) : null
}

/** How the network says that a transaction bid too little. */
const tooLittle = "tx_insufficient_fee"

/** Ledgers after which the queue of the network drops what bid too little: it passes it over four times. */
const ledgersInQueue = 5

const rejectedFor = (feeStroops: bigint | null) =>
  new TransactionRejected({
    resultCode: tooLittle,
    operationResultCodes: [],
    ...(feeStroops === null ? {} : { feeStroops: feeStroops.toString() })
  })

/** A rejection for the fee (`txINSUFFICIENT_FEE`). */
export interface FeeRejection {
  /** The newest ledger at the time of the answer. */
  readonly ledger: number
  /** Stroops that the whole transaction would have to offer, as the network says. */
  readonly feeCharged: bigint
  /** Whether an earlier copy may be in the queue. */
  readonly isUncertain: boolean
}

/** The network's transaction queue, as far as the fee decides about what waits in it. */
export const transactionQueue = Effect.gen(function*() {
  const inclusion = yield* InclusionFees
  const outcomes = yield* TransactionOutcomes
  const rpc = yield* ContractRpc

  /** What the transaction lacks by fee statistics; null when it lacks nothing, or no statistics are to be had. */
  const lackingNow = (submitted: SubmittedEnvelope) =>
    Effect.map(
      Effect.option(Effect.all([inclusion.required, rpc.latestLedger], { concurrency: 2 })),
      Option.match({ onNone: () => null, onSome: ([asked, { baseFee }]) => feeLacking(submitted, asked, baseFee) })
    )

  /** A refusal for the fee, with the fee that the network named, or else the one of statistics; the next build bids at least as much. */
  const refusalOf = (submitted: SubmittedEnvelope, feeCharged: bigint) =>
    Effect.gen(function*() {
      const named = namedFee(submitted, feeCharged)
      if (named === null) return rejectedFor(yield* lackingNow(submitted))
      yield* inclusion.note(named.lane, named.perOperation)
      return rejectedFor(named.whole)
    })

  /** Waits for a transaction sent at a ledger, until the queue has dropped it for its fee. It may come anyway, or its successor may. */
  const wait = (submitted: SubmittedEnvelope, sentAt: number): Effect.Effect<SubmitResult, OutcomeFailure | TransactionRejected> =>
    Effect.flatMap(
      outcomes.wait(submitted, sentAt + ledgersInQueue),
      Either.match({
        onLeft: (reached) =>
          Effect.flatMap(
            lackingNow(submitted),
            (lacking) => (lacking === null ? wait(submitted, reached) : Effect.fail(rejectedFor(lacking)))
          ),
        onRight: (result) => Effect.succeed(result)
      })
    )

  /** The end of a transaction that was rejected for its fee; where an earlier copy may wait in the queue, once the queue has dropped that. */
  const rejected = (
    submitted: SubmittedEnvelope,
    { feeCharged, isUncertain, ledger }: FeeRejection
  ): Effect.Effect<SubmitResult, OutcomeFailure | TransactionRejected | ChainFailure> =>
    Effect.gen(function*() {
      const refusal = yield* refusalOf(submitted, feeCharged)
      if (!isUncertain) return yield* outcomes.orFailure(submitted, refusal)
      const outcome = yield* outcomes.wait(submitted, ledger + ledgersInQueue)
      return Either.isRight(outcome) ? outcome.right : yield* refusal
    })

  return { wait, rejected }
})

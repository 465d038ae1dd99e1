import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big } from "effect"
import { feeUnits, fullFee, inclusionFee, innermost, isSoroban, resourceFee } from "../../ledger/Transaction.ts"
import type { Lane, RequiredFees } from "../read/InclusionFees.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"

const ceilDivide = (sum: bigint, units: bigint): bigint => (sum + units - 1n) / units

const laneOf = ({ transaction }: SubmittedEnvelope): Lane => (isSoroban(innermost(transaction).tx) ? "contracts" : "classic")

/** What the network named when it refused a transaction for its fee. */
export interface NamedFee {
  /** Stroops for the whole transaction, the resource fee of a contract call included. */
  readonly whole: bigint
  readonly lane: Lane
  readonly perOperation: bigint
}

/**
 * The fee a refusal names (`feeCharged` beside `txINSUFFICIENT_FEE`); null where it names none, or no more than was offered. What it takes to replace a transaction that
 * waits already is no price of a place in the ledger, so a fee bump names none to others.
 */
export const namedFee = (submitted: SubmittedEnvelope, { feeCharged, result }: xdr.TransactionResult): NamedFee | null => {
  if (result.type !== "txInsufficientFee" || feeCharged <= fullFee(submitted.transaction)) return null
  const bid = feeCharged - resourceFee(submitted.transaction)
  const perOperation = submitted.transaction._tag === "FeeBumpTransaction" ? 0n : ceilDivide(bid, feeUnits(submitted.transaction))
  return { whole: feeCharged, lane: laneOf(submitted), perOperation }
}

/** Stroops the whole transaction would have to offer now, at the base fee or above; null while it offers as much. */
export const feeLacking = (submitted: SubmittedEnvelope, asked: RequiredFees, baseFee: number): bigint | null => {
  const { transaction } = submitted
  const perOperation = asked[laneOf(submitted)]
  const needed = Big.max(perOperation, BigInt(baseFee)) * feeUnits(transaction)
  return inclusionFee(transaction) < needed ? needed + resourceFee(transaction) : null
}

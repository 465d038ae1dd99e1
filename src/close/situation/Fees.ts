import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import { native } from "../../domain/Asset.ts"
import { applyTransaction } from "../../ledger/Apply.ts"
import type { Header } from "../../ledger/Header.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { Operation } from "../../operations/Operations.ts"
import type { CloseInput } from "./CloseInput.ts"
import { type Holdings, spendable } from "./Holdings.ts"
import { succeeded } from "./ResultCodes.ts"

/** What a transaction may offer for its inclusion. */
export interface FeeBid {
  /** Stroops an operation offers. */
  readonly perOperation: bigint
  /** Stroops the account may spend on it; never negative. */
  readonly spendable: bigint
  /** Operations it can pay for. */
  readonly affordableOperations: number
}

/** No transaction, because the account cannot pay for it. Stroops. */
export interface LumenShortage {
  readonly _tag: "NoLumens"
  readonly needed: bigint
  readonly spendable: bigint
  /** How much more may be needed by the time lumens have arrived. */
  readonly leeway: bigint
  /** Whether someone else could pay, by wrapping it in a fee bump. */
  readonly wrappable: boolean
}

/**
 * The leeway reported with missing lumens of a contract transaction, stroops: a hundredth of its resource fee. Rent grows with every
 * ledger, so the exact amount would be too little by the time it arrives.
 */
export const leewayOf = (resourceFee: bigint): bigint => resourceFee / 100n

/** The assumed resource fee of a call that could not be simulated yet, stroops. */
export const usualResourceFee = 2_000_000n

/** More than twice the assumed resource fee. */
const keptPerCall = 5_000_000n
const keptAtLeast = 1_0000000n
/** Anyone may give an account tokens: what they would cost to leave keeps no more than this from a debt. */
const keptAtMost = 10_0000000n

/**
 * Stroops of lumens that are not spent on a debt: the call that pays it costs as well, and so do those that follow before any lumens come
 * back. Otherwise an account that is sent the lumens missing for a later call would pay its debt with them.
 */
export const keptForCalls = (
  { feePayer }: Pick<CloseInput, "feePayer">,
  { protocols, tokens }: Pick<AccountSnapshot, "protocols" | "tokens">
): bigint => {
  if (feePayer === "fee_bump") return 0n
  const positions = protocols.reduce((sum, reading) => sum + (reading._tag === "Read" ? reading.positions.length : 0), 0)
  const kept = BigInt(positions + tokens.held.length) * keptPerCall
  return Big.clamp(kept, { minimum: keptAtLeast, maximum: keptAtMost })
}

const anyNumber = 1_000_000

/**
 * The bid of the next transaction: what it takes to get into a ledger (`InclusionFees.ts`), or the network's least where lumens are scarce, because the
 * ledger tests the whole bid against what the account may spend before anything is freed.
 */
export const feeBid = (
  { feePerOperation, input }: { readonly feePerOperation: bigint; readonly input: Pick<CloseInput, "feePayer"> },
  { account }: Pick<Holdings, "account">,
  header: Pick<Header, "baseFee" | "baseReserve">
): FeeBid => {
  if (input.feePayer === "fee_bump") return { perOperation: feePerOperation, spendable: 0n, affordableOperations: anyNumber }
  const available = spendable(account, header.baseReserve)
  const positive = Big.max(available, 0n)
  const least = BigInt(header.baseFee)
  const scarce = positive < feePerOperation * 100n
  const perOperation = scarce ? least : feePerOperation
  return {
    perOperation,
    spendable: positive,
    affordableOperations: Number(Big.min(positive / perOperation, BigInt(anyNumber)))
  }
}

/** The same bid once the number of operations is known: what is scarce over a hundred may be plenty over a few. */
export const spreadOver = (bid: FeeBid, operations: number, wanted: bigint): FeeBid => {
  const each = bid.spendable / BigInt(Math.max(1, operations))
  const affordable = Big.min(each, wanted)
  return affordable > bid.perOperation ? { ...bid, perOperation: affordable } : bid
}

/** A transaction that the ledger applies where it charges no more than its least. */
interface FeeOffer {
  readonly bid: FeeBid
  readonly envelope: xdr.TransactionEnvelope
  readonly operations: ReadonlyArray<Operation>
  /** The ledger before it. */
  readonly ledgerState: LedgerState
  readonly passphrase: string
}

/** Lumens that an operation sends away at most. */
const sentBy = (operation: Operation): bigint => {
  switch (operation.type) {
    case "payment":
      return operation.asset === native ? operation.amount : 0n
    case "path_payment_strict_send":
      return operation.sendAsset === native ? operation.sendAmount : 0n
    case "path_payment_strict_receive":
      return operation.sendAsset === native ? operation.sendMax : 0n
    case "manage_sell_offer":
      return operation.selling === native ? operation.amount : 0n
    default:
      return 0n
  }
}

/** Whether the operations have all the lumens they could ever need, two reserves each among them, though the bid is charged whole. */
const leavesEnough = ({ bid: { perOperation, spendable }, ledgerState: { header }, operations }: FeeOffer): boolean =>
  spendable >= operations.reduce((sum, operation) => sum + perOperation + 2n * BigInt(header.baseReserve) + sentBy(operation), 0n)

/** Whether the ledger applies it also where it charges so many stroops an operation. */
const holdsCharged = ({ envelope, ledgerState, passphrase }: FeeOffer, charged: bigint): boolean => {
  const options = { networkPassphrase: passphrase, signatures: "assume", surgeBaseFee: Number(charged) } as const
  return succeeded(applyTransaction(ledgerState, envelope, options).result)
}

/**
 * What a transaction may offer of its bid, stroops an operation: all of it, or the first of its halves that leaves the operations what they
 * need, for the ledger may charge the whole of an offer before it applies the first. Yields after each that does not.
 */
export function* bearableBid(offered: FeeOffer): Generator<void, bigint> {
  const least = BigInt(offered.ledgerState.header.baseFee)
  let { perOperation } = offered.bid
  if (leavesEnough(offered)) return perOperation
  while (perOperation > least && !holdsCharged(offered, perOperation)) {
    perOperation = perOperation > 2n * least ? perOperation / 2n : least
    yield
  }
  return perOperation
}

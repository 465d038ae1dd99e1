import { BigInt as Big } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { Header } from "../../ledger/Header.ts"
import type { CloseInput } from "./CloseInput.ts"
import { type Holdings, spendable } from "./Holdings.ts"

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
  /** Whether somebody else could pay, by wrapping it in a fee bump. */
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
/** Anybody may give an account tokens: what they would cost to leave keeps no more than this from a debt. */
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

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
export interface LumensLacking {
  readonly kind: "no_lumens"
  readonly needed: bigint
  readonly spendable: bigint
  /** Whether somebody else could pay, by wrapping it in a fee bump. */
  readonly wrappable: boolean
}

/** Stroops of lumens that are not spent on a debt, because the call that pays it costs as well. */
export const callReserve = 1_0000000n

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
  const positive = available > 0n ? available : 0n
  const least = BigInt(header.baseFee)
  const scarce = positive < feePerOperation * 100n
  const perOperation = scarce ? least : feePerOperation
  return {
    perOperation,
    spendable: positive,
    affordableOperations: Number(positive / perOperation > BigInt(anyNumber) ? BigInt(anyNumber) : positive / perOperation)
  }
}

/** The same bid once the number of operations is known: what is scarce over a hundred may be plenty over a few. */
export const spreadOver = (bid: FeeBid, operations: number, wanted: bigint): FeeBid => {
  const each = bid.spendable / BigInt(Math.max(1, operations))
  const affordable = each < wanted ? each : wanted
  return affordable > bid.perOperation ? { ...bid, perOperation: affordable } : bid
}

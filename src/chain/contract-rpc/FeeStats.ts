import { Effect, Schema } from "effect"
import { Int } from "../../domain/Leaf.ts"
import type { Call } from "./JsonRpc.ts"
import { BigText, LedgerNumber } from "./WireNumbers.ts"

const Distribution = Schema.Struct({
  max: BigText,
  min: BigText,
  mode: BigText,
  p10: BigText,
  p20: BigText,
  p30: BigText,
  p40: BigText,
  p50: BigText,
  p60: BigText,
  p70: BigText,
  p80: BigText,
  p90: BigText,
  p95: BigText,
  p99: BigText,
  transactionCount: BigText,
  ledgerCount: Int
})

/** Inclusion fees of recent ledgers in stroops per operation. */
export interface FeeDistribution {
  readonly max: bigint
  readonly min: bigint
  readonly mode: bigint
  readonly p10: bigint
  readonly p20: bigint
  readonly p30: bigint
  readonly p40: bigint
  readonly p50: bigint
  readonly p60: bigint
  readonly p70: bigint
  readonly p80: bigint
  readonly p90: bigint
  readonly p95: bigint
  readonly p99: bigint
  /** Transactions counted. */
  readonly transactionCount: bigint
  /** Ledgers counted. */
  readonly ledgerCount: number
}

/** What recent transactions paid, for classic and for contract transactions. */
export interface FeeStats {
  readonly classic: FeeDistribution
  readonly soroban: FeeDistribution
  readonly latestLedger: number
}

const Result = Schema.Struct({ inclusionFee: Distribution, sorobanInclusionFee: Distribution, latestLedger: LedgerNumber })

/** `getFeeStats`. */
export const getFeeStats = (call: Call) => (url: URL) =>
  Effect.map(call("getFeeStats", {}, Result)(url), ({ inclusionFee, latestLedger, sorobanInclusionFee }): FeeStats => ({
    classic: inclusionFee,
    soroban: sorobanInclusionFee,
    latestLedger
  }))

import { BigInt as Big, Context, Duration, Effect, Layer, Ref } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { FeeDistribution } from "../../chain/contract-rpc/FeeStats.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"

/** Classic and contract transactions compete for a ledger apart from one another. */
export type Lane = "classic" | "contracts"

/** Stroops of inclusion fee that an operation has to offer. */
export type RequiredFees = Readonly<Record<Lane, bigint>>

/** Ledgers fuller than this are in surge pricing: a bid of what nine of ten paid may not be included. */
const crowded = 0.95

/** How long a fee that the network named in a rejection is bid by later transactions. */
const memory = Duration.toMillis("1 minute")

interface NamedFee {
  readonly perOperation: bigint
  /** Milliseconds of the clock. */
  readonly at: number
}

/** Inclusion fees that a transaction must bid now, before any setting caps them. */
export class InclusionFees extends Context.Tag("closeout/close/InclusionFees")<InclusionFees, {
  /**
   * What nine of ten recent transactions paid (p90 of `getFeeStats`); what ninety-nine of a hundred did (p99) while ledgers are more than
   * 95 % full (`ledger_capacity_usage` of `/fee_stats`) and, for contract calls, which that share does not count apart, while one of ten
   * paid more than the cheapest, which happens in full ledgers only. Never below what a rejection of the last minute named.
   */
  readonly required: Effect.Effect<RequiredFees, ChainFailure>
  /** Notes the fee that the network named when it rejected a transaction, stroops an operation. */
  readonly note: (lane: Lane, perOperation: bigint) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    InclusionFees,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const api = yield* LedgerApi
      const refusals = yield* Ref.make<Readonly<Partial<Record<Lane, NamedFee>>>>({})

      const required = Effect.gen(function*() {
        const [{ classic, soroban }, usage] = yield* Effect.all([rpc.feeStats, api.capacityUsage], { concurrency: "unbounded" })
        const now = yield* steadyMillis
        const named = yield* Ref.get(refusals)
        const lastNamed = (lane: Lane): bigint => {
          const last = named[lane]
          return last !== undefined && now - last.at <= memory ? last.perOperation : 0n
        }
        const paid = ({ p90, p99 }: FeeDistribution, isCrowded: boolean): bigint => (isCrowded ? Big.max(p90, p99) : p90)
        return {
          classic: Big.max(paid(classic, usage > crowded), lastNamed("classic")),
          contracts: Big.max(paid(soroban, usage > crowded || soroban.p90 > soroban.min), lastNamed("contracts"))
        }
      })

      return InclusionFees.of({
        required,
        note: (lane, perOperation) =>
          Effect.flatMap(steadyMillis, (at) => Ref.update(refusals, (before) => ({ ...before, [lane]: { perOperation, at } })))
      })
    })
  )
}

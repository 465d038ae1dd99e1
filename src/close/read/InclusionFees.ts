import { Context, Duration, Effect, Layer, Ref } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { FeeDistribution } from "../../chain/contract-rpc/FeeStats.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { concurrently } from "../../fibers/Concurrently.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"

/** Classic and contract transactions compete for a ledger apart from one another. */
export type Lane = "classic" | "contracts"

/** Stroops of inclusion fee that an operation has to offer. */
export type AskedFees = Readonly<Record<Lane, bigint>>

/** Ledgers that are fuller than this are in demand: who bids what nine of ten paid may wait in vain. */
const crowded = 0.95

/** How long what the network named in a refusal is asked of those who come after. */
const memory = Duration.toMillis("1 minute")

interface Named {
  readonly perOperation: bigint
  /** Milliseconds of the clock. */
  readonly at: number
}

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** What it takes to get into a ledger now, before any setting caps it. */
export class InclusionFees extends Context.Tag("closeout/close/InclusionFees")<InclusionFees, {
  /**
   * What nine of ten recent transactions paid (p90 of `getFeeStats`); what ninety-nine of a hundred did (p99) while ledgers are more than
   * 95 % full (`ledger_capacity_usage` of `/fee_stats`) and, for contract calls, which that share does not count apart, while one of ten
   * paid more than the cheapest, which happens in full ledgers only. Never below what a refusal of the last minute named.
   */
  readonly asked: Effect.Effect<AskedFees, ChainFailure>
  /** The network refused a transaction and named what an operation would have had to offer, stroops. */
  readonly named: (lane: Lane, perOperation: bigint) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    InclusionFees,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const api = yield* LedgerApi
      const refusals = yield* Ref.make<Readonly<Partial<Record<Lane, Named>>>>({})

      const asked = Effect.gen(function*() {
        const [{ classic, soroban }, usage] = yield* concurrently([rpc.feeStats, api.capacityUsage])
        const now = yield* steadyMillis
        const named = yield* Ref.get(refusals)
        const lastNamed = (lane: Lane): bigint => {
          const last = named[lane]
          return last !== undefined && now - last.at <= memory ? last.perOperation : 0n
        }
        const paid = ({ p90, p99 }: FeeDistribution, isCrowded: boolean): bigint => (isCrowded ? most(p90, p99) : p90)
        return {
          classic: most(paid(classic, usage > crowded), lastNamed("classic")),
          contracts: most(paid(soroban, usage > crowded || soroban.p90 > soroban.min), lastNamed("contracts"))
        }
      })

      return InclusionFees.of({
        asked,
        named: (lane, perOperation) =>
          Effect.flatMap(steadyMillis, (at) => Ref.update(refusals, (before) => ({ ...before, [lane]: { perOperation, at } })))
      })
    })
  )
}

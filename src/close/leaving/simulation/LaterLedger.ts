import { Clock, Duration, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { pauseForNext, untilNext } from "../../../chain/CloseInterval.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import { DeadlineExceeded } from "../../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"

/** How long a later ledger is waited for. */
const patience = Duration.seconds(12)

/** Waits. Where there are several endpoints they are compared: the next question goes to one that is ahead. */
const waiting = (rpc: ContractRpc["Type"], millis: number): Effect.Effect<void> => {
  const compared = Effect.flatMap(rpc.endpoints, (all) => (all.length > 1 ? Effect.asVoid(rpc.survey) : Effect.void))
  return Effect.all([compared, Effect.sleep(millis)], { concurrency: 2, discard: true })
}

/**
 * Waits until the contract RPC has a later ledger than one (`getLatestLedger`); fails with `DeadlineExceeded` after twelve seconds. It asks once
 * the next ledger is due.
 */
export const laterLedger = (rpc: ContractRpc["Type"], than: number): Effect.Effect<void, ChainFailure> =>
  Effect.gen(function*() {
    const until = (yield* steadyMillis) + Duration.toMillis(patience)
    const due = untilNext(yield* rpc.closeTimeOf(than), yield* rpc.closeInterval, yield* Clock.currentTimeMillis)
    if (due > 0) yield* waiting(rpc, due)
    let newest = yield* rpc.recentLedger
    while (newest.sequence <= than) {
      if ((yield* steadyMillis) >= until) return yield* new DeadlineExceeded()
      yield* waiting(rpc, pauseForNext(newest.closeTime, yield* rpc.closeInterval, yield* Clock.currentTimeMillis))
      newest = yield* rpc.latestLedger
    }
  })

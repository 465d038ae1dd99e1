import { Clock, Duration, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { CloseInterval } from "../../../chain/CloseInterval.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import { DeadlineExceeded } from "../../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"

/** How long a later ledger is waited for. */
const patience = Duration.seconds(12)

/** How often the newest ledger is requested once it is due, or where nothing tells when: four times a ledger, and once a second at the least. Milliseconds. */
const shortestPause = 250
const longestPause = 1_000

/** Milliseconds until the newest ledger is requested again; `now`: those of the clock. */
const pauseAfter = (closeTime: bigint | null, interval: CloseInterval, now: number): number => {
  const usual = interval === null ? longestPause : Math.min(longestPause, Math.max(shortestPause, interval * 250))
  if (closeTime === null || interval === null) return usual
  // Two clocks need not agree: what cannot be is passed over.
  const due = Number(closeTime) * 1_000 + interval * 1_000 - now
  return due > usual && due <= interval * 1_000 ? due : usual
}

/** Where there are several endpoints they are compared: the next question goes to one that is ahead. */
const compared = (rpc: ContractRpc["Type"]): Effect.Effect<void> =>
  Effect.flatMap(rpc.endpoints, (all) => (all.length > 1 ? Effect.asVoid(rpc.survey) : Effect.void))

/** Waits until the contract RPC has a later ledger than one (`getLatestLedger`); fails with `DeadlineExceeded` after twelve seconds. */
export const laterLedger = (rpc: ContractRpc["Type"], than: number): Effect.Effect<void, ChainFailure> =>
  Effect.gen(function*() {
    const until = (yield* steadyMillis) + Duration.toMillis(patience)
    let closed = (yield* Effect.option(rpc.recentLedger)).pipe(Option.map(({ closeTime }) => closeTime), Option.getOrNull)
    while ((yield* steadyMillis) < until) {
      const pause = pauseAfter(closed, yield* rpc.closeInterval, yield* Clock.currentTimeMillis)
      yield* Effect.all([compared(rpc), Effect.sleep(pause)], { concurrency: 2, discard: true })
      const { closeTime, sequence } = yield* rpc.latestLedger
      if (sequence > than) return
      closed = closeTime
    }
    return yield* new DeadlineExceeded()
  })

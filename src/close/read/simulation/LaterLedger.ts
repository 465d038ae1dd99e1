import { Duration, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import { DeadlineExceeded } from "../../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../../domain/SteadyTime.ts"

/** How long a later ledger is waited for. */
const patience = Duration.seconds(12)

/** How often the newest ledger is asked for while one is waited for: four times a ledger, and once a second at the least. Milliseconds. */
const shortestPause = 250
const longestPause = 1_000

/** Where there are several endpoints they are compared: the next question goes to one that is ahead. */
const compared = (rpc: ContractRpc["Type"]): Effect.Effect<void> =>
  Effect.flatMap(rpc.endpoints, (all) => (all.length > 1 ? Effect.asVoid(rpc.survey) : Effect.void))

/** Waits until the contract RPC has a later ledger than one (`getLatestLedger`); fails with `DeadlineExceeded` after twelve seconds. */
export const laterLedger = (rpc: ContractRpc["Type"], than: number): Effect.Effect<void, ChainFailure> =>
  Effect.gen(function*() {
    const until = (yield* steadyMillis) + Duration.toMillis(patience)
    while ((yield* steadyMillis) < until) {
      const seconds = yield* rpc.closeInterval
      const pause = seconds === null ? longestPause : Math.min(longestPause, Math.max(shortestPause, seconds * 250))
      yield* Effect.all([compared(rpc), Effect.sleep(pause)], { concurrency: 2, discard: true })
      if ((yield* rpc.latestLedger).sequence > than) return
    }
    return yield* new DeadlineExceeded()
  })

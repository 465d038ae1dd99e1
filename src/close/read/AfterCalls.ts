import { Deferred, Duration, Effect, Either } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { laterLedger } from "../leaving/simulation/LaterLedger.ts"

/**
 * Receives the ledger of the account's newest contract call while the account is read, and the newest ledger. It never ends where the reading is
 * to be given up.
 */
export type CallListener = (ledger: number, newest: Effect.Effect<LatestLedger, ChainFailure>) => Effect.Effect<void>

/** How long that ledger is waited for here: the account may have no call to come, and then it needs none. */
const patience = Duration.seconds(7)

/**
 * Reads for a build. Where the account called a contract in the newest ledger, its next call can only be simulated on a later one: that is
 * waited for first, once, and what was read before is given up.
 */
export const readAfterCalls = <A, E>(
  rpc: ContractRpc["Type"],
  read: (called: CallListener | null) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    const waitedFor = yield* Deferred.make<number>()
    const called: CallListener = (ledger, newest) =>
      Effect.flatMap(Effect.option(newest), (at) =>
        at._tag === "Some" && ledger >= at.value.sequence
          ? Effect.zipRight(Deferred.succeed(waitedFor, ledger), Effect.never)
          : Effect.void)
    const ended = yield* Effect.raceFirst(
      Effect.map(Deferred.await(waitedFor), Either.left),
      Effect.map(read(called), Either.right)
    )
    if (Either.isRight(ended)) return ended.right
    yield* Effect.ignore(Effect.timeout(laterLedger(rpc, ended.left), patience))
    return yield* read(null)
  })

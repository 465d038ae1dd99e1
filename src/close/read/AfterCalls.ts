import { Deferred, Effect, Either } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { laterLedger } from "./simulation/LaterLedger.ts"

/**
 * Is told the ledger of the account's newest call while the account is read, and the newest ledger. Where it does not go on, reading is given
 * up.
 */
export type Called = (ledger: number, newest: Effect.Effect<LatestLedger, ChainFailure>) => Effect.Effect<void>

/**
 * Reads for a build. Where the account called a contract in the newest ledger, its next call can only be simulated on a later one: that is
 * waited for first, once, and what was read before is given up.
 */
export const readAfterCalls = <A, E>(
  rpc: ContractRpc["Type"],
  read: (called: Called | null) => Effect.Effect<A, E>
): Effect.Effect<A, E | ChainFailure> =>
  Effect.gen(function*() {
    const waitedFor = yield* Deferred.make<number>()
    const called: Called = (ledger, newest) =>
      Effect.flatMap(Effect.option(newest), (at) =>
        at._tag === "Some" && ledger >= at.value.sequence
          ? Effect.zipRight(Deferred.succeed(waitedFor, ledger), Effect.never)
          : Effect.void)
    const ended = yield* Effect.raceFirst(
      Effect.map(Deferred.await(waitedFor), Either.left),
      Effect.map(read(called), Either.right)
    )
    return Either.isRight(ended) ? ended.right : yield* Effect.zipRight(laterLedger(rpc, ended.left), read(null))
  })

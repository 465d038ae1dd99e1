import { Deferred, Duration, Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { laterLedger } from "../leaving/simulation/LaterLedger.ts"

/**
 * Receives the ledger of the account's newest contract call while the account is read, and the newest ledger. It never ends where the reading is
 * to be given up.
 */
export type CallListener = (ledger: number, newest: Effect.Effect<LatestLedger, ChainFailure>) => Effect.Effect<void>

/** What a reading has to do with contract calls of the account itself. */
export interface OwnCalls {
  /** Null where they do not count. */
  readonly listener: CallListener | null
  /** Whether the account called a contract lately, so that its next transaction may be a call too. Known once its history was read. */
  readonly isCalling: Effect.Effect<boolean>
  /** Whether the newest ledger was just asked for, to wait for it. */
  readonly hasWaited: boolean
}

/** A reading in which calls do not count. */
export const withoutCalls: OwnCalls = { listener: null, isCalling: Effect.succeed(false), hasWaited: false }

/** How long that ledger is waited for here: the account may have no call to come, and then it needs none. */
const patience = Duration.seconds(8)

/** Ledgers within which a call counts as made lately: about an hour. */
const recently = 720

/**
 * Reads for a build. Where the account called a contract in the newest ledger, its next call can only be simulated on a later one: that is
 * waited for first, once, and what was read before is given up.
 *
 * @param known the ledger of a call that this process brought there itself: then nothing is read before the wait; 0: it knows of none
 */
export const readAfterCalls = <A, E>(
  rpc: ContractRpc["Type"],
  known: number,
  read: (calls: OwnCalls) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    const afterwards = (ledger: number) =>
      Effect.zipRight(
        Effect.ignore(Effect.timeout(laterLedger(rpc, ledger), patience)),
        read({ listener: null, isCalling: Effect.succeed(true), hasWaited: true })
      )
    if (known > 0) return yield* afterwards(known)
    const waitedFor = yield* Deferred.make<number>()
    const isCalling = yield* Deferred.make<boolean>()
    const listener: CallListener = (ledger, newest) =>
      Effect.flatMap(Effect.option(newest), (at) => {
        const sequence = Option.match(at, { onNone: () => Number.POSITIVE_INFINITY, onSome: (latest) => latest.sequence })
        return Effect.zipRight(
          Deferred.succeed(isCalling, sequence - ledger <= recently),
          ledger >= sequence ? Effect.zipRight(Deferred.succeed(waitedFor, ledger), Effect.never) : Effect.void
        )
      })
    const ended = yield* Effect.raceFirst(
      Effect.map(Deferred.await(waitedFor), Either.left),
      Effect.map(read({ listener, isCalling: Deferred.await(isCalling), hasWaited: false }), Either.right)
    )
    return Either.isRight(ended) ? ended.right : yield* afterwards(ended.left)
  })

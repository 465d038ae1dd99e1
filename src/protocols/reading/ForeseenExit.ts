import { Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"
import { type KnownExit, type Leaving, placesNamed, readExitIn, readProtocol, unknownExit } from "./PositionReading.ts"
import type { ReadAt, Sources } from "./QuestionLoop.ts"

/** The ledger that a simulated call would make of the present one. */
const entriesOf = (entries: Sources["entries"], changes: ReadonlyArray<StateChange>): Sources["entries"] => {
  const changed = new Map(changes.map((change) => [keyText(change.key), change] as const))
  const foreseen = (answer: EntryAnswer): EntryAnswer => {
    const change = changed.get(keyText(answer.key))
    if (change === undefined) return answer
    const { key, latestLedger } = answer
    return {
      ...answer,
      live: Option.map(Option.fromNullable(change.after), (entry) => ({ key, entry, liveUntilLedger: null, latestLedger }))
    }
  }
  return { answers: (keys) => Effect.map(entries.answers(keys), (all) => all.map(foreseen)) }
}

/**
 * What would be left to do for a position once a call has made these changes: `Gone` when the account does not hold it any more. Contracts are not
 * asked, because they would answer as of the present ledger.
 */
export const readForeseenExit = (
  { entries, rpc }: Sources,
  at: ReadAt,
  leaving: Leaving,
  changes: ReadonlyArray<StateChange>
): Effect.Effect<KnownExit, ChainFailure> =>
  Effect.gen(function*() {
    const { context, position, readable } = leaving
    const named = yield* placesNamed({ entries, rpc }, at, readable, position)
    if (Either.isLeft(named)) return unknownExit(position, named.left)
    const sources: Sources = { entries: entriesOf(entries, changes), rpc, isForeseen: true }
    const after = yield* readProtocol(sources, at, context.user)({
      protocol: { ...readable.protocol, places: named.right },
      found: () => Effect.succeed(Either.right(null))
    })
    if (after._tag === "Unread") return yield* Effect.fail(after.failure)
    const isHeld = after._tag === "Read" &&
      after.positions.some(({ contract, key }) => contract === position.contract && key === position.key)
    return isHeld ? yield* readExitIn(sources, at, named.right, leaving) : { _tag: "Gone" }
  })

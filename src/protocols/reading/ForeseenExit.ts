import { Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { EntryAnswer, LedgerEntries } from "../../chain/LedgerEntries.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import { keyText } from "../../stellar/EntryKeys.ts"
import { blind, type KnownExit, type Leaving, placesNamed, readExitIn, readProtocol } from "./PositionReading.ts"
import type { ReadAt, Sources } from "./QuestionLoop.ts"

/** A ledger that a simulated call would make of the present one. */
export interface Foreseen {
  /** What the call changes. */
  readonly changes: ReadonlyArray<StateChange>
  /** Entries of the present ledger that are known already, so that nobody asks for them again. */
  readonly read: ReadonlyArray<EntryAnswer>
}

const entriesOf = (entries: LedgerEntries["Type"], { changes, read }: Foreseen): LedgerEntries["Type"] => {
  const known = new Map(read.map((answer) => [keyText(answer.key), answer] as const))
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
  const answers: LedgerEntries["Type"]["answers"] = (keys) =>
    Effect.map(entries.answers(keys.filter((key) => !known.has(keyText(key)))), (asked) => {
      const told = new Map([...known, ...asked.map((answer) => [keyText(answer.key), answer] as const)])
      return keys.flatMap((key) => told.get(keyText(key)) ?? []).map(foreseen)
    })
  const many: LedgerEntries["Type"]["many"] = (keys) => Effect.map(answers(keys), (all) => all.map(({ live }) => live))
  return { answers, many, one: (key) => Effect.map(many([key]), ([live]) => live ?? Option.none()) }
}

/**
 * What would be left to do for a position on a foreseen ledger: `Gone` when the account does not hold it any more. Contracts are not
 * asked, because they would answer as of the present ledger.
 */
export const readForeseenExit = (
  { entries, rpc }: Sources,
  at: ReadAt,
  leaving: Leaving,
  foreseen: Foreseen
): Effect.Effect<KnownExit, ChainFailure> =>
  Effect.gen(function*() {
    const { context, position, readable } = leaving
    const named = yield* placesNamed({ entries, rpc }, at, readable, position)
    if (Either.isLeft(named)) return blind(position, named.left)
    const sources: Sources = {
      entries: entriesOf(entries, foreseen),
      rpc: { ...rpc, simulateTransaction: () => Effect.fail(new DeadlineExceeded()) }
    }
    const after = yield* readProtocol(sources, at, context.user)({
      protocol: { ...readable.protocol, places: named.right },
      found: () => Effect.succeed(Either.right(null))
    })
    if (after._tag === "Unread") return yield* Effect.fail(after.failure)
    const isHeld = after._tag === "Read" &&
      after.positions.some(({ contract, key }) => contract === position.contract && key === position.key)
    return isHeld ? yield* readExitIn(sources, at, named.right, leaving) : { _tag: "Gone" }
  })

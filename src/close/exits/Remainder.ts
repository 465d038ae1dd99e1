import { Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import { keyText } from "../../chain/EntryKeys.ts"
import type { EntryAnswer, LedgerEntries } from "../../chain/LedgerEntries.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import type { ReadAt } from "../../protocols/Asking.ts"
import { readExit, readProtocol } from "../../protocols/PositionReading.ts"
import type { ProtocolReading } from "../../protocols/PositionReading.ts"
import type { Exit, ExitContext, HeldPosition } from "../../protocols/Protocol.ts"

type Calls = Extract<Exit, { readonly _tag: "Calls" }>

/** A position as it was read, and the calls that its protocol leaves it by. */
export interface Leaving {
  readonly reading: Extract<ProtocolReading, { readonly _tag: "Read" }>
  readonly position: Pick<HeldPosition, "contract" | "key">
  readonly exit: Calls
  readonly at: ReadAt
  readonly context: Omit<ExitContext, "view" | "found">
}

interface Sources {
  readonly entries: LedgerEntries["Type"]
  readonly rpc: ContractRpc["Type"]
  /** What is known already of the entries that the position was read from. */
  readonly read: ReadonlyArray<EntryAnswer>
}

/** The ledger's entries as a simulated call would leave them; those that were `read` are not asked for again. */
const entriesAfter = (entries: LedgerEntries["Type"], read: ReadonlyArray<EntryAnswer>, changes: ReadonlyArray<StateChange>): LedgerEntries["Type"] => {
  const known = new Map(read.map((answer) => [keyText(answer.key), answer] as const))
  const changed = new Map(changes.map((change) => [keyText(change.key), change] as const))
  const amended = (answer: EntryAnswer): EntryAnswer => {
    const change = changed.get(keyText(answer.key))
    if (change === undefined) return answer
    const { key, latestLedger } = answer
    return { ...answer, live: Option.map(Option.fromNullable(change.after), (entry) => ({ key, entry, liveUntilLedger: null, latestLedger })) }
  }
  const answers: LedgerEntries["Type"]["answers"] = (keys) =>
    Effect.map(entries.answers(keys.filter((key) => !known.has(keyText(key)))), (asked) => {
      const told = new Map([...known, ...asked.map((answer) => [keyText(answer.key), answer] as const)])
      return keys.flatMap((key) => told.get(keyText(key)) ?? []).map(amended)
    })
  const many: LedgerEntries["Type"]["many"] = (keys) => Effect.map(answers(keys), (all) => all.map(({ live }) => live))
  return { answers, many, one: (key) => Effect.map(many([key]), ([live]) => live ?? Option.none()) }
}

/**
 * A call must bring a position closer to its end: fewer calls remain, or something else is next after a wait. Else whoever does what
 * the service says would go on for ever.
 */
const isCloser = (before: Calls, after: Calls): boolean =>
  after.calls.length < before.calls.length || (before.unlocksAt !== null && after.calls[0].function !== before.calls[0].function)

/**
 * Whether the first call of an exit leaves the position where it was: its protocol reads it again on the ledger that the simulation
 * foresees, and would ask for no less than before. What contracts would answer is not asked: it is not of that ledger.
 */
export const isEndless = (
  { entries, read, rpc }: Sources,
  { at, context, exit, position, reading }: Leaving,
  changes: ReadonlyArray<StateChange>
): Effect.Effect<boolean, ChainFailure> =>
  Effect.gen(function*() {
    const sources = { entries: entriesAfter(entries, read, changes), rpc: { ...rpc, simulateTransaction: () => Effect.fail(new DeadlineExceeded()) } }
    const readable = { protocol: reading.protocol, found: () => Effect.succeed(Either.right(reading.found)) }
    const after = yield* readProtocol(sources, at, context.user)(readable)
    if (after._tag === "Unread") return yield* Effect.fail(after.failure)
    const stays = after._tag === "Read" && after.positions.some(({ contract, key }) => contract === position.contract && key === position.key)
    if (!stays) return false
    const next = yield* readExit(sources, at, readable, position, context)
    return next._tag === "Calls" && !isCloser(exit, next)
  })

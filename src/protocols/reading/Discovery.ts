import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Duration, Effect, Either, Exit, Option, Ref, SynchronizedRef } from "effect"
import type { Scope } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EntryAnswer } from "../../chain/LedgerEntries.ts"
import { sharing } from "../../chain/SharedWork.ts"
import type { SharedWork } from "../../chain/SharedWork.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import type { Question } from "../kit/Question.ts"
import { scanner } from "./Announcements.ts"
import type { Announced, Announcements, ScanStore } from "./Announcements.ts"
import { askUntilKnown } from "./QuestionLoop.ts"
import type { ReadAt, Sources } from "./QuestionLoop.ts"

/** Contracts that a decoder finds in what was read. */
export interface Finds {
  /** What must be asked first. While there is anything, the rest is not used. */
  readonly further: ReadonlyArray<Question>
  /** The contracts beyond those configured. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Why others may be missing, each a clause; empty when none is. */
  readonly doubts: ReadonlyArray<string>
  /** How many more were found than are read. */
  readonly dropped: number
  /** What should name contracts says something that is none: others may be missing from any ledger. Left out: it does not. */
  readonly isBlind?: boolean
}

/** How a protocol finds contracts that no file lists, for instance pools that anybody may open. Pure, like the decoder. */
export interface Discovery {
  /** What is asked first. */
  readonly questions: ReadonlyArray<Question>
  /** Events that tell of contracts, as long as sources remember them (about a week), and kept since. Ledgers whose events cannot be read are a gap, not a failure. */
  readonly announcements?: Announcements
  /**
   * @param announced what those events carry
   * @param before contracts that the last list had: whatever named them may name them no more, and something may still be held there
   */
  readonly find: (view: LedgerView, announced: ReadonlyArray<xdr.ScVal>, before: ReadonlyArray<ContractAddress>) => Finds
  /** Those of some contracts, named by whoever may, that a contract of the file knows as its own. Left out: none. */
  readonly confirm?: (view: LedgerView, candidates: ReadonlyArray<ContractAddress>) => Pick<Finds, "further" | "contracts">
}

/** What a list of contracts may lack, for every account alike. */
export interface ListDoubt {
  /** Contracts may have been deployed in these ledgers of which nobody here knows. */
  readonly gap: LedgerGap
  /** Why, where asking again may bring them; null where nobody is left to be asked. */
  readonly failure: ChainFailure | null
}

/** Contracts that were found, and as of when. */
export interface FoundContracts extends Omit<Finds, "further" | "isBlind"> {
  readonly at: ReadAt
  /** The entries that name them, as they were shown: of the contracts of the file only. */
  readonly answers: ReadonlyArray<EntryAnswer>
  /** Null: nothing is missing. */
  readonly doubt: ListDoubt | null
}

/** A list, or why there is none however often it is tried. */
type List = Either.Either<FoundContracts, string>

/** How old a list may be: one opened since is not seen until then. */
export const mostAge = Duration.minutes(5)

/** The same for a list with a doubt. */
export const mostAgeInDoubt = Duration.minutes(1)

/** More rounds than any list takes. */
const mostRounds = 64

const nothingAnnounced: Announced = { data: [], gap: null, failure: null }

/** A contract that was found and is not read may be of any ledger that no file covers; so may one whose name could not be made out. */
const doubtOf = (
  { failure, gap }: Announced,
  { dropped, isBlind = false }: Pick<Finds, "dropped" | "isBlind">,
  since: number,
  at: ReadAt
): ListDoubt | null => {
  if (dropped > 0 || isBlind) return { gap: { fromLedger: since, toLedger: at.sequence }, failure }
  return gap === null ? null : { gap, failure }
}

/** What is known before a list is read: what contracts announced up to a ledger, and what the list before had. */
interface Beforehand {
  readonly announcedAt: (at: ReadAt) => Effect.Effect<Announced>
  readonly before: ReadonlyArray<ContractAddress>
}

const look = (
  sources: Sources,
  { announcements, find, questions }: Discovery,
  { closeTime, sequence }: ReadAt,
  { announcedAt, before }: Beforehand
): Effect.Effect<List, ChainFailure> =>
  Effect.gen(function*() {
    const at = { sequence, closeTime }
    const announced = yield* announcedAt(at)
    const known = yield* askUntilKnown(sources, at, { first: questions, most: mostRounds }, (view, answers) => {
      const { further, ...found } = find(view, announced.data, before)
      return [{ ...found, answers }, further]
    })
    return Either.map(known, ({ value: { isBlind = false, ...found } }) => ({
      ...found,
      doubt: doubtOf(announced, { dropped: found.dropped, isBlind }, announcements?.since ?? 1, at),
      at
    }))
  })

/** How long after it was begun a reading serves those who ask. */
const servesFor = (outcome: Option.Option<Exit.Exit<List, ChainFailure>>): Duration.Duration =>
  Option.match(outcome, {
    onNone: () => mostAge,
    onSome: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: Either.match({
        onLeft: () => mostAge,
        onRight: ({ doubt, doubts }) => (doubts.length === 0 && (doubt === null || doubt.failure === null) ? mostAge : mostAgeInDoubt)
      })
    })
  })

interface Reading {
  readonly list: SharedWork<List, ChainFailure>
  /** Milliseconds of the clock. */
  readonly since: number
}

/** A list for all requests. */
export interface SharedList {
  readonly found: (at: ReadAt) => Effect.Effect<List, ChainFailure>
  /** The one that was read last; null before, while it is read, and where it could not be. */
  readonly soFar: Effect.Effect<FoundContracts | null>
}

/**
 * One list for all requests: whoever asks first has it read, whoever asks meanwhile waits for the same reading, and it is read anew
 * when it is too old. It is as of the newest ledger that whoever asks first knows. A reading that failed is not kept. Who stops waiting
 * does not stop the reading.
 */
export const sharedList = (
  sources: Sources,
  discovery: Discovery,
  store?: ScanStore
): Effect.Effect<SharedList, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const announcedAt = discovery.announcements === undefined
      ? () => Effect.succeed(nothingAnnounced)
      : yield* scanner(sources.rpc, discovery.announcements, store)
    const kept = yield* SynchronizedRef.make<Reading | null>(null)
    const listed = yield* Ref.make<ReadonlyArray<ContractAddress>>([])
    const lookAgain = (at: ReadAt) =>
      Effect.flatMap(Ref.get(listed), (before) => look(sources, discovery, at, { announcedAt, before })).pipe(
        Effect.tap(Either.match({ onLeft: () => Effect.void, onRight: ({ contracts }) => Ref.set(listed, contracts) }))
      )
    const current = (at: ReadAt) =>
      SynchronizedRef.modifyEffect(kept, (last) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const serves = last !== null && now - last.since < Duration.toMillis(servesFor(yield* last.list.soFar))
          const reading: Reading = serves ? last : { list: yield* share("Discovery.look", lookAgain(at)), since: now }
          return [reading, reading] as const
        }))
    const soFar = Effect.flatMap(SynchronizedRef.get(kept), (last) =>
      last === null ?
        Effect.succeed(null) :
        Effect.map(last.list.soFar, (exit) =>
          Option.match(exit, {
            onNone: () => null,
            onSome: Exit.match({ onFailure: () => null, onSuccess: Either.getOrNull })
          })))
    return {
      found: (at) => Effect.flatMap(current(at), ({ list }) => list.outcome),
      soFar
    }
  })

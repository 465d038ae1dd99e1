import { Duration, Effect, Either, Exit, Option, Ref, SynchronizedRef } from "effect"
import type { Scope } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import type { EntryEvidence } from "../../chain/Pin.ts"
import { cacheCount } from "../../fibers/CacheMetrics.ts"
import { sharing } from "../../fibers/SharedWork.ts"
import type { SharedWork } from "../../fibers/SharedWork.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { nameOfAddress } from "../../stellar/ScAddresses.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"
import { contractsOf } from "../Place.ts"
import { scanner } from "./Announcements.ts"
import type { AnnouncementsRead, ScanStore } from "./Announcements.ts"
import type { Discovery, Finds, ListDoubt, PlaceList, Search } from "./Discovery.ts"
import { answerLoop } from "./QuestionLoop.ts"
import type { ReadAt, Sources } from "./QuestionLoop.ts"
import { readTwiceInDoubt } from "./SecondReading.ts"

const counted = cacheCount("protocol_lists")

/** A list, or why there is none however often it is tried. */
type List = Either.Either<PlaceList, string>

/** How old a list may be before it is read anew. */
export const mostAge = Duration.minutes(5)

/** How old one may be that serves while it is read anew: what was opened since is not seen until then. */
const mostStale = Duration.minutes(15)

/** How long no one tries to read a list anew once that has failed, while the old one serves; nor from the start, once that was done. */
const restAfterFailure = Duration.seconds(20)

/** How old a list with a doubt may be: no one is served an older one. */
export const mostAgeInDoubt = Duration.minutes(1)

/** More rounds than any list takes. */
const mostRounds = 64

const noAnnouncements: AnnouncementsRead = { data: [], gap: null, failure: null }

/** A contract that was found and is not read may be of any ledger that no file covers; so may one whose name could not be made out. */
const doubtOf = (
  { failure, gap }: AnnouncementsRead,
  { dropped, isBlind = false }: Pick<Finds, "dropped" | "isBlind">,
  since: number,
  at: ReadAt
): ListDoubt | null => {
  if (dropped > 0 || isBlind) return { gap: { fromLedger: since, toLedger: at.sequence }, failure }
  return gap === null ? null : { gap, failure }
}

/** What is known before a list is read: how it is read, what contracts announced up to a ledger, and what named places before. */
interface ListInputs extends Search {
  readonly announcedAt: (at: ReadAt) => Effect.Effect<AnnouncementsRead>
  readonly answers: ReadonlyArray<EntryEvidence>
}

/** A list, and how the next one is read. */
interface ListResult {
  readonly list: PlaceList
  readonly next: Search
}

/** Entries of the contracts that name others; what was read anew stands for what was read before. */
const naming = (
  { counts = [], namedBy }: Discovery,
  before: ReadonlyArray<EntryEvidence>,
  now: ReadonlyArray<EntryAnswer>,
  by: EntryEvidence["by"]
): ReadonlyArray<EntryEvidence> => {
  const own = new Set<string>(namedBy)
  const isNaming = ({ key }: EntryAnswer) => key.type === "contractData" && own.has(nameOfAddress(key.contractData.contract))
  const anew = now.filter(isNaming).map((one): EntryEvidence => ({ ...one, by, inside: counts }))
  return [...new Map([...before, ...anew].map((one) => [keyText(one.key), one] as const)).values()]
}

const look = (
  sources: Sources,
  discovery: Discovery,
  { closeTime, sequence }: ReadAt,
  { announcedAt, answers: before, ...search }: ListInputs
): Effect.Effect<(by: EntryEvidence["by"]) => Either.Either<ListResult, string>, ChainFailure> =>
  Effect.gen(function*() {
    const at = { sequence, closeTime }
    const announced = yield* announcedAt(at)
    const known = yield* answerLoop(sources, at, { first: search.questions, most: mostRounds }, (view, answers) => {
      const { further, ...found } = search.find(view, announced.data)
      return [{ ...found, answers }, further]
    })
    return (by) =>
      Either.map(known, ({ value: { answers, isBlind = false, next = search, ...found } }) => ({
        next,
        list: {
          ...found,
          contracts: contractsOf(found.places),
          answers: naming(discovery, before, answers, by),
          doubt: doubtOf(announced, { dropped: found.dropped, isBlind }, discovery.announcements?.since ?? 1, at),
          at
        }
      }))
  })

/**
 * How much of a reading is in doubt. 0: nothing; 1: doubts that are reported to every caller; 2: also what may be held in ledgers that no
 * source knows; 3: all of it. A gap in the announcements alone is 0: failed sources are reported as they are.
 */
const doubtIn = (read: Either.Either<ListResult, string>): number =>
  Either.match(read, {
    onLeft: () => 3,
    onRight: ({ list: { doubt, doubts, dropped } }) => {
      if (doubts.length === 0 && dropped === 0) return 0
      return doubt === null ? 1 : 2
    }
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

interface ListReading {
  readonly list: SharedWork<List, ChainFailure>
  /** Milliseconds of the clock. */
  readonly since: number
}

/** Whether a reading came to a list. */
const isRead = (outcome: Option.Option<Exit.Exit<List, ChainFailure>>): boolean =>
  Option.exists(outcome, (exit) => Exit.isSuccess(exit) && Either.isRight(exit.value))

/** The reading that serves, and one that is to take its place. */
interface CachedReading {
  readonly serving: ListReading
  readonly coming: ListReading | null
}

/** Once the coming reading has a list, it replaces the serving one. A failed one is dropped after `restAfterFailure`. */
const settled = (kept: CachedReading, came: Option.Option<Exit.Exit<List, ChainFailure>>, now: number): CachedReading => {
  const { coming, serving } = kept
  if (coming === null || Option.isNone(came)) return kept
  if (isRead(came)) return { serving: coming, coming: null }
  return { serving, coming: now - coming.since < Duration.toMillis(restAfterFailure) ? coming : null }
}

/** Whether a list of this age in milliseconds serves as it is, serves while it is read anew, or is waited for. */
const turnOf = (
  age: number,
  outcome: Option.Option<Exit.Exit<List, ChainFailure>>,
  mostOld: Duration.Duration
): "serve" | "refresh" | "wait" => {
  const serves = Duration.min(servesFor(outcome), mostOld)
  if (age < Duration.toMillis(serves)) return "serve"
  const isSound = isRead(outcome) && Duration.greaterThan(serves, mostAgeInDoubt)
  return isSound && age < Duration.toMillis(mostOld) ? "refresh" : "wait"
}

/** A list for all requests. */
export interface SharedList {
  /** @param mostOld how old a list may be that serves; left out: a quarter of an hour */
  readonly found: (at: ReadAt, mostOld?: Duration.Duration) => Effect.Effect<List, ChainFailure>
  /** The one that was read last; null before, while it is read, and where it could not be. */
  readonly soFar: Effect.Effect<PlaceList | null>
  /** Nothing of it is believed any more: it is read from the start by the next who asks, unless that was just done. */
  readonly forget: Effect.Effect<void>
}

/**
 * One list for all requests: the first caller starts a reading, and concurrent callers wait for the same one. A list that is too old is
 * read again, and serves until that is done. If it is stale or in doubt, callers wait. The list is as of the newest ledger known to the
 * caller that started the reading. A list in doubt is read twice before it serves. A failed reading is not kept. A caller that stops
 * waiting does not stop the reading.
 */
export const sharedList = (
  sources: Sources,
  discovery: Discovery,
  store?: ScanStore
): Effect.Effect<SharedList, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const announcedAt = discovery.announcements === undefined
      ? () => Effect.succeed(noAnnouncements)
      : yield* scanner(sources.rpc, discovery.announcements, store)
    const kept = yield* SynchronizedRef.make<CachedReading | null>(null)
    const unlearned = { search: discovery, answers: [] }
    const learned = yield* Ref.make<{ readonly search: Search; readonly answers: ReadonlyArray<EntryEvidence> }>(unlearned)
    const lookAgain = (at: ReadAt): Effect.Effect<List, ChainFailure> =>
      Effect.gen(function*() {
        const { answers, search } = yield* Ref.get(learned)
        const beforehand: ListInputs = { questions: search.questions, find: search.find, announcedAt, answers }
        const read = yield* readTwiceInDoubt(sources.rpc, { doubtIn, read: (now) => look(sources, discovery, now, beforehand) }, at)
        if (Either.isRight(read)) yield* Ref.set(learned, { search: read.right.next, answers: read.right.list.answers })
        return Either.map(read, ({ list }) => list)
      })
    const begin = (at: ReadAt, now: number) =>
      Effect.map(share("Discovery.look", lookAgain(at)), (list): ListReading => ({ list, since: now }))

    const current = (at: ReadAt, mostOld: Duration.Duration) =>
      SynchronizedRef.modifyEffect(kept, (last) =>
        Effect.gen(function*() {
          const now = yield* steadyMillis
          if (last === null) {
            counted.miss()
            const serving = yield* begin(at, now)
            return [serving, { serving, coming: null }] as const
          }
          const came = last.coming === null ? Option.none() : yield* last.coming.list.soFar
          const { coming, serving } = settled(last, came, now)
          const turn = turnOf(now - serving.since, yield* serving.list.soFar, mostOld)
          if (turn === "wait") counted.miss()
          else counted.hit()
          if (turn === "serve") return [serving, { serving, coming }] as const
          if (turn === "refresh") return [serving, { serving, coming: coming ?? (yield* begin(at, now)) }] as const
          // A caller that must wait gets no failure of some seconds ago, and does not wait for a reading begun too long ago for it.
          const isAwaited = Option.isNone(came) && coming !== null && now - coming.since < Duration.toMillis(mostOld)
          const next = isAwaited ? coming : yield* begin(at, now)
          return [next, { serving: next, coming: null }] as const
        }))
    const soFar = Effect.flatMap(SynchronizedRef.get(kept), (last) =>
      last === null ?
        Effect.succeed(null) :
        Effect.map(last.serving.list.soFar, (exit) =>
          Option.match(exit, {
            onNone: () => null,
            onSome: Exit.match({ onFailure: () => null, onSuccess: Either.getOrNull })
          })))
    const forgotten = yield* Ref.make(Number.NEGATIVE_INFINITY)
    const forget = SynchronizedRef.updateEffect(kept, (last) =>
      Effect.gen(function*() {
        const now = yield* steadyMillis
        if (now - (yield* Ref.get(forgotten)) < Duration.toMillis(restAfterFailure)) return last
        yield* Ref.set(forgotten, now)
        yield* Ref.set(learned, unlearned)
        return null
      }))
    return {
      forget,
      found: (at, mostOld = mostStale) => Effect.flatMap(current(at, mostOld), ({ list }) => list.outcome),
      soFar
    }
  })

import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Either, Exit, Fiber, Option, Ref, TestClock } from "effect"
import type { ChainFailure } from "../../src/chain/ChainFailure.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { DeadlineExceeded } from "../../src/domain/failure/Upstream.ts"
import type { Finds } from "../../src/protocols/reading/Discovery.ts"
import { type SharedList, sharedList } from "../../src/protocols/reading/SharedList.ts"
import { barePlace } from "./support/Bare.ts"
import { noEntries, rpcSaying } from "./support/Sources.ts"

const at = { sequence: 1, closeTime: 1n }

const newest = { ...at, protocolVersion: 29, baseFee: 100, baseReserve: 5_000_000, idPool: 0n, flags: 0 }

/** The outcome of a read: a list, a doubtful list, or a failure. */
type Comes = "whole" | "doubted" | "failed" | "broken"

/** Time of every read. */
const takes = "10 seconds"

/** A list whose role numbers its read, the count of reads, and the outcome of the next ones. Ledgers close only on request. */
const listingIn = (takes: Duration.DurationInput) =>
  Effect.gen(function*() {
    const begun = yield* Ref.make(0)
    const comes = yield* Ref.make<Comes>("whole")
    let found: Finds | null = { further: [], places: [], doubts: [], dropped: 0 }
    const find = () => {
      if (found === null) throw new Error("nothing can be made of it")
      return found
    }
    const entries = LedgerEntries.of({
      ...noEntries,
      answers: () =>
        Effect.gen(function*() {
          const reading = yield* Ref.updateAndGet(begun, (count) => count + 1)
          const outcome = yield* Ref.get(comes)
          yield* Effect.sleep(takes)
          if (outcome === "failed") return yield* new DeadlineExceeded()
          found = outcome === "broken" ? null : {
            further: [],
            places: [barePlace({ role: `of reading ${reading}` })],
            doubts: outcome === "doubted" ? ["something could not be made out"] : [],
            dropped: 0
          }
          return []
        })
    })
    const ledger = yield* Ref.make(at.sequence)
    const latestLedger = Effect.map(Ref.get(ledger), (sequence) => ({ ...newest, sequence }))
    const list = yield* sharedList({ entries, rpc: { ...rpcSaying(), latestLedger } }, { namedBy: [], questions: [], find })
    const closeLedger = Ref.update(ledger, (sequence) => sequence + 1)
    return { list, begun: Ref.get(begun), comes: (next: Comes) => Ref.set(comes, next), closeLedger }
  })

const listing = listingIn(takes)

/** The number of the list's read, or the failure. */
const asking = ({ found }: SharedList): Effect.Effect<string> =>
  Effect.match(found(at), {
    onFailure: (failure: ChainFailure) => failure._tag,
    onSuccess: Either.match({ onLeft: () => "broken", onRight: ({ places }) => places.map(({ role }) => role).join() })
  })

const askers = 5

/** The answer that parallel callers get without any wait; null: they wait. */
const toldAtOnce = (list: SharedList) =>
  Effect.gen(function*() {
    const fibers = yield* Effect.forEach(Array.from({ length: askers }), () => Effect.fork(asking(list)))
    yield* TestClock.adjust(0)
    const told = yield* Effect.forEach(fibers, (fiber) => Fiber.poll(fiber))
    const answers = told.map(Option.match({ onNone: () => null, onSome: Exit.getOrElse(() => "died") }))
    assert.lengthOf([...new Set(answers)], 1)
    return { answer: answers[0], later: Effect.map(Fiber.joinAll(fibers), (all) => [...new Set(all)]) }
  })

/** Checks that callers get this answer at once. */
const assertTold = (list: SharedList, answer: string, when: string) =>
  Effect.map(toldAtOnce(list), (told) => assert.strictEqual(told.answer, answer, when))

/** Checks that callers wait for a whole read, and then get this answer. */
const assertWaits = (list: SharedList, answer: string, when: string) =>
  Effect.gen(function*() {
    const { answer: atOnce, later } = yield* toldAtOnce(list)
    assert.isNull(atOnce, when)
    yield* TestClock.adjust(takes)
    assert.deepStrictEqual(yield* later, [answer], when)
  })

describe("a list for all requests", () => {
  it.scoped("is waited for by all who ask while there is none, and is read once for them", () =>
    Effect.gen(function*() {
      const { begun, list } = yield* listing
      assert.isNull(yield* list.soFar)
      yield* assertWaits(list, "of reading 1", "cold")
      assert.strictEqual(yield* begun, 1)
      assert.deepStrictEqual((yield* list.soFar)?.places.map(({ role }) => role), ["of reading 1"])
      yield* TestClock.adjust("289 seconds")
      yield* assertTold(list, "of reading 1", "just under five minutes old")
      assert.strictEqual(yield* begun, 1)
    }))

  it.scoped("serves when it is old, while it is read anew once for all who ask", () =>
    Effect.gen(function*() {
      const { begun, list } = yield* listing
      yield* assertWaits(list, "of reading 1", "cold")
      yield* TestClock.adjust("290 seconds")
      yield* assertTold(list, "of reading 1", "five minutes old")
      yield* TestClock.adjust("9 seconds")
      yield* assertTold(list, "of reading 1", "while it is read anew")
      assert.strictEqual(yield* begun, 2)
      yield* TestClock.adjust("1 second")
      yield* assertTold(list, "of reading 2", "once it was read anew")
      // Its five minutes count from the start of its read.
      yield* TestClock.adjust("289 seconds")
      yield* assertTold(list, "of reading 2", "just under five minutes later")
      assert.strictEqual(yield* begun, 2)
      yield* TestClock.adjust("1 second")
      yield* assertTold(list, "of reading 2", "five minutes later")
      assert.strictEqual(yield* begun, 3)
    }))

  it.scoped("is no older than whoever asks says, though it would serve others", () =>
    Effect.gen(function*() {
      const { begun, list } = yield* listing
      const closing: SharedList = { ...list, found: (now) => list.found(now, Duration.seconds(30)) }
      yield* assertWaits(list, "of reading 1", "cold")
      yield* TestClock.adjust("19 seconds")
      yield* assertTold(closing, "of reading 1", "not half a minute old")
      yield* TestClock.adjust("1 second")
      yield* assertTold(list, "of reading 1", "for those who do not say")
      yield* assertWaits(closing, "of reading 2", "half a minute old")
      assert.strictEqual(yield* begun, 2)
    }))

  it.scoped.each([[7, "4 seconds", "of reading 2"], [6, "10 seconds", "of reading 3"]] as const)(
    "that is being read for six seconds is waited for, or not, by who wants one of less than %s",
    ([seconds, wait, answer]) =>
      Effect.gen(function*() {
        const { list } = yield* listing
        yield* assertWaits(list, "of reading 1", "cold")
        yield* TestClock.adjust("290 seconds")
        yield* assertTold(list, "of reading 1", "while it is read anew")
        yield* TestClock.adjust("6 seconds")
        const asked = yield* toldAtOnce({ ...list, found: (now) => list.found(now, Duration.seconds(seconds)) })
        assert.isNull(asked.answer)
        yield* TestClock.adjust(wait)
        assert.deepStrictEqual(yield* asked.later, [answer])
      })
  )

  it.scoped("is read from the start once it is forgotten, at most every twenty seconds", () =>
    Effect.gen(function*() {
      const { begun, list } = yield* listing
      yield* assertWaits(list, "of reading 1", "cold")
      yield* list.forget
      yield* assertWaits(list, "of reading 2", "forgotten")
      yield* TestClock.adjust("9 seconds")
      yield* list.forget
      yield* assertTold(list, "of reading 2", "forgotten again too soon")
      yield* TestClock.adjust("1 second")
      yield* list.forget
      yield* assertWaits(list, "of reading 3", "forgotten again")
      assert.strictEqual(yield* begun, 3)
    }))

  it.scoped("serves for a quarter of an hour where it cannot be read anew, and then is waited for", () =>
    Effect.gen(function*() {
      const { begun, comes, list } = yield* listing
      yield* assertWaits(list, "of reading 1", "cold")
      yield* comes("failed")
      yield* TestClock.adjust("290 seconds")
      yield* assertTold(list, "of reading 1", "five minutes old")
      yield* TestClock.adjust(takes)
      assert.strictEqual(yield* begun, 2)
      yield* assertTold(list, "of reading 1", "after it could not be read anew")
      assert.strictEqual(yield* begun, 2, "nobody tries again at once")
      yield* TestClock.adjust("10 seconds")
      yield* assertTold(list, "of reading 1", "some time after")
      assert.strictEqual(yield* begun, 3)
      yield* TestClock.adjust(takes)
      yield* TestClock.adjust("569 seconds")
      yield* assertTold(list, "of reading 1", "just under a quarter of an hour old")
      yield* TestClock.adjust("1 second")
      // Callers wait for the read that began a second ago.
      const { answer, later } = yield* toldAtOnce(list)
      assert.isNull(answer)
      yield* TestClock.adjust(takes)
      assert.deepStrictEqual(yield* later, ["DeadlineExceeded"])
      assert.strictEqual(yield* begun, 4)
      yield* assertWaits(list, "DeadlineExceeded", "a failure is not kept")
      yield* comes("whole")
      yield* assertWaits(list, "of reading 6", "until it is read")
      yield* assertTold(list, "of reading 6", "and then it serves")
      assert.strictEqual(yield* begun, 6)
    }))

  it.scoped("is waited for when nobody asked for a quarter of an hour", () =>
    Effect.gen(function*() {
      const { begun, list } = yield* listing
      yield* assertWaits(list, "of reading 1", "cold")
      yield* TestClock.adjust("890 seconds")
      yield* assertWaits(list, "of reading 2", "a quarter of an hour old")
      assert.strictEqual(yield* begun, 2)
    }))

  it.scoped("that is in doubt serves for a minute and no longer, though it cannot be read anew", () =>
    Effect.gen(function*() {
      const { begun, comes, list } = yield* listing
      yield* comes("doubted")
      const { answer, later } = yield* toldAtOnce(list)
      assert.isNull(answer)
      yield* TestClock.adjust("15 seconds")
      assert.isNull((yield* toldAtOnce(list)).answer, "while it is waited for the next ledger")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* later, ["of reading 1"])
      assert.isNotEmpty((yield* list.soFar)?.doubts ?? [])
      yield* TestClock.adjust("43 seconds")
      yield* assertTold(list, "of reading 1", "just under a minute old")
      yield* comes("failed")
      yield* TestClock.adjust("1 second")
      yield* assertWaits(list, "DeadlineExceeded", "a minute old")
      yield* assertWaits(list, "DeadlineExceeded", "and then")
      assert.strictEqual(yield* begun, 3)
    }))

  it.scoped.each([["whole", "of reading 2", 0], ["doubted", "of reading 1", 1], ["failed", "of reading 1", 1]] as const)(
    "that is in doubt is read once more for all who ask, on the next ledger: where that comes to %s, it is %s",
    ([again, answer, doubts]) =>
      Effect.gen(function*() {
        const { begun, closeLedger, comes, list } = yield* listingIn("2 seconds")
        yield* comes("doubted")
        const asked = yield* toldAtOnce(list)
        yield* TestClock.adjust("4 seconds")
        assert.isNull((yield* toldAtOnce(list)).answer)
        assert.strictEqual(yield* begun, 1, "no ledger has closed")
        yield* comes(again)
        yield* closeLedger
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* asked.later, [answer])
        assert.lengthOf((yield* list.soFar)?.doubts ?? [], doubts)
        assert.strictEqual(yield* begun, 2)
        yield* assertTold(list, answer, "afterwards")
      })
  )

  it.scoped("of which nothing can be made is read once more, and what can be made of that is used, its doubt with it", () =>
    Effect.gen(function*() {
      const { closeLedger, comes, list } = yield* listingIn("2 seconds")
      yield* comes("broken")
      const asked = yield* toldAtOnce(list)
      yield* TestClock.adjust("2 seconds")
      yield* comes("doubted")
      yield* closeLedger
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* asked.later, ["of reading 2"])
      assert.lengthOf((yield* list.soFar)?.doubts ?? [], 1)
    }))

  it.scoped("that came into doubt when it was read anew takes the old one's place, for a minute", () =>
    Effect.gen(function*() {
      const { begun, comes, list } = yield* listing
      yield* assertWaits(list, "of reading 1", "cold")
      yield* comes("doubted")
      yield* TestClock.adjust("290 seconds")
      yield* assertTold(list, "of reading 1", "five minutes old")
      yield* TestClock.adjust("59 seconds")
      yield* assertTold(list, "of reading 2", "in doubt")
      yield* comes("whole")
      yield* TestClock.adjust("1 second")
      yield* assertWaits(list, "of reading 3", "a minute after its reading began")
      assert.strictEqual(yield* begun, 3)
    }))
})

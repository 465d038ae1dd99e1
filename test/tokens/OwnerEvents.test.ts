import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { topicsOf } from "../../src/tokens/EventTopics.ts"
import { soon, timed } from "../account/support/World.ts"
import { anyContract } from "../support/Addresses.ts"
import { isThorough } from "../support/Thorough.ts"
import { approved, type AskedEvents, newAccount, overNode, overNodes, refused, transferred } from "./support/EventNode.ts"

/** The ranges of requested windows. */
const windows = (asked: ReadonlyArray<AskedEvents>) => asked.map(({ endLedger, startLedger }) => [startLedger, endLedger])

const [token, other, spender] = [anyContract(), anyContract(), anyContract()]

describe("what events tell of an owner", () => {
  it.scoped("is asked for in one filter, in windows, the newest first", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { asked, of } = yield* overNode({
        events: [
          approved(3, token, owner, spender),
          transferred(12_000, other, owner, newAccount()),
          transferred(24_000, token, newAccount(), owner),
          approved(24_500, other, owner, newAccount()),
          approved(24_600, other, newAccount(), spender)
        ]
      })
      const told = yield* of(owner)
      assert.deepStrictEqual(told.tokens, [other, token])
      assert.deepStrictEqual(told.approvals.map((one) => [one.token, one.until]), [[other, 25_500], [token, 1003]])
      assert.deepStrictEqual([told.scanned, told.complete, told.failure], [{ fromLedger: 1, toLedger: 25_000 }, true, null])
      const questions = yield* asked
      assert.deepStrictEqual(windows(questions), [[15_001, 25_001], [5001, 15_001], [1, 5001]])
      assert.deepStrictEqual(questions[0]?.filters, [{ type: "contract", topics: topicsOf(owner).map((pattern) => [...pattern]) }])
    }))

  it.scoped("is read to the end of a window page by page, as many as there are", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const spenders = Array.from({ length: 2500 }, anyContract)
      const { asked, of } = yield* overNode({
        latest: 5000,
        events: spenders.map((one, at) => approved(at < 1500 ? 40 : 41 + at, token, owner, one, at))
      })
      const told = yield* of(owner)
      assert.deepStrictEqual([told.scanned, told.complete], [{ fromLedger: 1, toLedger: 5000 }, true])
      assert.lengthOf(yield* asked, 3)
      assert.deepStrictEqual(told.approvals.map((one) => one.spender), spenders.slice(-1000).toReversed(), "the newest are kept")
      assert.deepStrictEqual(told.dropped, { tokens: 0, approvals: 1500 })
    }))

  it.scoped("is asked for in smaller windows where they are too large, and goes on with those", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { asked, node, of } = yield* overNode({
        latest: 10_000,
        events: [approved(3, token, owner, spender), approved(9_000, other, owner, spender)],
        meddle: ({ endLedger = 0, startLedger = 0 }) => (endLedger - startLedger > 3000 ? refused(-32001) : null)
      })
      const told = yield* of(owner)
      assert.deepStrictEqual([told.scanned, told.complete, told.approvals.length], [{ fromLedger: 1, toLedger: 10_000 }, true, 2])
      assert.deepStrictEqual(windows(yield* asked).at(-1), [1, 2501])
      node.latest += 8000
      const before = (yield* asked).length
      yield* of(owner)
      const since = windows((yield* asked).slice(before))
      assert.isAtMost(
        Math.max(...since.slice(0, 1).map(([from = 0, to = 0]) => to - from)),
        5000,
        "what was too large once is not asked for at once"
      )
    }))

  it.scoped("fails where even a small window is too much, and keeps what was read", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { of } = yield* overNode({ latest: 100, meddle: () => refused(-32001) })
      const told = yield* soon(of(owner))
      assert.deepStrictEqual([told.complete, told.failure?._tag, told.scanned], [false, "NetworkUnavailable", null])
    }))

  it.scoped("ends with the budget, tells the newest range, and goes on from there", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { asked, of } = yield* overNode(
        { latest: 50_000, events: [approved(3, token, owner, spender), approved(49_000, other, owner, spender)] },
        { EVENT_SCAN_REQUESTS: "2" }
      )
      const first = yield* of(owner)
      assert.deepStrictEqual([first.scanned, first.complete, first.failure], [{ fromLedger: 30_001, toLedger: 50_000 }, false, null])
      assert.deepStrictEqual(first.approvals.map((one) => one.token), [other])
      const second = yield* of(owner)
      assert.deepStrictEqual([second.scanned, second.complete], [{ fromLedger: 10_001, toLedger: 50_000 }, false])
      const third = yield* of(owner)
      assert.deepStrictEqual([third.scanned, third.complete], [{ fromLedger: 1, toLedger: 50_000 }, true])
      assert.deepStrictEqual(third.approvals.map((one) => one.token), [other, token])
      assert.lengthOf(yield* asked, 5)
    }))

  it.scoped("keeps what was read before a page failed, and tells the failure", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { node, of } = yield* overNode({
        latest: 50_000,
        events: [approved(3, token, owner, spender), approved(49_000, other, owner, spender)],
        meddle: ({ startLedger = 0 }) => (startLedger < 30_000 ? { status: 503, body: "" } : null)
      })
      const told = yield* soon(of(owner))
      assert.deepStrictEqual([told.scanned, told.complete, told.failure?._tag], [
        { fromLedger: 30_001, toLedger: 50_000 },
        false,
        "NetworkUnavailable"
      ])
      assert.deepStrictEqual(told.approvals.map((one) => one.token), [other])
      node.meddle = () => null
      const again = yield* soon(of(owner))
      assert.deepStrictEqual([again.complete, again.failure, again.approvals.length], [true, null, 2])
    }))

  it.scoped("ends with the time, and says so where nothing was read", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const hanging = yield* overNode({ meddle: () => "hang" }, { EVENT_SCAN_SECONDS: "5" })
      const { elapsed, exit } = yield* timed(hanging.of(owner))
      const nothing = yield* exit
      assert.isAtMost(elapsed, 5100)
      assert.deepStrictEqual([nothing.scanned, nothing.complete, nothing.failure?._tag], [null, false, "DeadlineExceeded"])
      const slow = yield* overNode({ meddle: ({ startLedger = 0 }) => (startLedger < 10_000 ? "hang" : null) })
      const part = yield* (yield* timed(slow.of(owner))).exit
      assert.deepStrictEqual([part.scanned, part.complete, part.failure], [{ fromLedger: 15_001, toLedger: 25_000 }, false, null])
    }))

  it.scoped("takes no longer for a source that claims to have billions of ledgers", () =>
    Effect.gen(function*() {
      const { asked, of } = yield* overNode({ latest: 2_000_000_000 }, { EVENT_WINDOW_LEDGERS: "100", EVENT_SCAN_REQUESTS: "8" })
      const told = yield* of(newAccount())
      assert.lengthOf(yield* asked, 8)
      assert.deepStrictEqual([told.complete, told.scanned], [false, { fromLedger: 1_999_999_201, toLedger: 2_000_000_000 }])
    }))

  it.scoped("begins where the source remembers, which moves on meanwhile", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { node, of } = yield* overNode({
        oldest: 100,
        latest: 30_000,
        meddle: (_, count) => {
          if (count === 1) node.oldest = 2000
          return null
        }
      })
      const told = yield* of(owner)
      assert.deepStrictEqual([told.scanned, told.complete], [{ fromLedger: 2000, toLedger: 30_000 }, true])
    }))
})

describe("the memory of what was scanned", () => {
  it.scoped("has later requests ask for the ledgers since, and forgets after ten minutes", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { asked, node, of } = yield* overNode({ events: [approved(3, token, owner, spender)] })
      yield* of(owner)
      assert.lengthOf(yield* asked, 3)
      yield* of(owner)
      assert.lengthOf(yield* asked, 3, "nothing came since")
      node.latest += 7
      node.events = [...node.events, approved(25_003, other, owner, spender)]
      const told = yield* of(owner)
      assert.deepStrictEqual(windows(yield* asked).slice(3), [[25_001, 25_008]])
      assert.deepStrictEqual(told.approvals.map((one) => one.token), [other, token])
      yield* TestClock.adjust("10 minutes")
      yield* of(owner)
      assert.lengthOf(yield* asked, 7)
    }))

  it.scoped("is shared by those who ask for one owner at the same time, and by nobody else", () =>
    Effect.gen(function*() {
      const [owner, stranger] = [newAccount(), newAccount()]
      const { asked, of } = yield* overNode({ events: [approved(3, token, owner, spender)] })
      const all = yield* Effect.forEach([owner, owner, owner, stranger], of, { concurrency: "unbounded" })
      assert.deepStrictEqual(all.map(({ approvals }) => approvals.length), [1, 1, 1, 0])
      assert.lengthOf(yield* asked, 6)
    }))

  it.scoped("outlives whoever asked first", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { asked, of } = yield* overNode({})
      yield* Fiber.interrupt(yield* Effect.fork(of(owner)))
      yield* of(owner)
      assert.isAtMost((yield* asked).length, 3)
    }))

  it.scoped.runIf(isThorough)("is of a thousand owners, those asked for last", () =>
    Effect.gen(function*() {
      const owners = Array.from({ length: 1001 }, newAccount)
      const [first, second] = owners
      const { asked, of } = yield* overNode({ latest: 100 })
      yield* Effect.forEach(owners.slice(0, 1000), of, { discard: true })
      yield* of(first!)
      assert.lengthOf(yield* asked, 1000, "all are remembered")
      yield* of(owners[1000]!)
      yield* of(first!)
      assert.lengthOf(yield* asked, 1001, "who was asked for lately is remembered")
      yield* of(second!)
      assert.lengthOf(yield* asked, 1002, "who was not is forgotten")
    }))
})

describe("what events of two origins tell", () => {
  const [short, long] = [{ oldest: 100_000, latest: 117_000 }, { oldest: 1, latest: 117_000 }]

  it.scoped("is incomplete while the one that remembers more is not read to its end", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { of } = yield* overNodes(
        [short, { ...long, events: [transferred(3, token, newAccount(), owner)] }],
        { EVENT_SCAN_REQUESTS: "2" }
      )
      const first = yield* of(owner)
      assert.deepStrictEqual([first.complete, first.unscanned, first.failure], [false, { fromLedger: 1, toLedger: 97_000 }, null])
      assert.deepStrictEqual(first.tokens, [])
      const last = yield* Effect.repeat(of(owner), { times: 4 })
      assert.deepStrictEqual([last.complete, last.unscanned, last.tokens], [true, null, [token]])
    }))

  it.scoped("is incomplete where that one fails after it said what it remembers, and as long as that is known", () =>
    Effect.gen(function*() {
      const owner = newAccount()
      const { again, nodes, of } = yield* overNodes([short, { ...long, meddle: () => refused(-32001) }])
      const gap = { fromLedger: 1, toLedger: 99_999 }
      const failed = yield* soon(of(owner))
      assert.deepStrictEqual([failed.complete, failed.unscanned, failed.failure], [false, gap, null])
      nodes[1]!.isDown = true
      const silent = yield* soon(again(owner))
      assert.deepStrictEqual([silent.complete, silent.unscanned, silent.failure], [false, gap, null])
    }))

  it.scoped("is complete on one origin's word where the other never said what it remembers", () =>
    Effect.gen(function*() {
      const { of } = yield* overNodes([short, { ...long, isDown: true }])
      const told = yield* soon(of(newAccount()))
      assert.deepStrictEqual([told.complete, told.unscanned, told.failure], [true, null, null])
      assert.deepStrictEqual(told.alone, [{ from: 100_000, to: 116_996 }])
    }))

  it.scoped("is complete where an origin that was not read to its end remembers a few ledgers more", () =>
    Effect.gen(function*() {
      const slow = { latest: 117_000, meddle: ({ startLedger = 0 }: AskedEvents) => (startLedger < 107_000 ? "hang" as const : null) }
      const settled = (oldest: number) =>
        Effect.flatMap(
          overNodes([short, { ...slow, oldest }]),
          ({ of }) => Effect.flatMap(timed(of(newAccount())), ({ exit }) => exit)
        )
      const near = yield* settled(99_990)
      assert.deepStrictEqual([near.complete, near.unscanned], [true, null])
      const far = yield* settled(99_980)
      assert.deepStrictEqual([far.complete, far.unscanned], [false, { fromLedger: 99_980, toLedger: 99_999 }])
    }))

  it.scoped("is incomplete for the last few ledgers that neither was read for", () =>
    Effect.gen(function*() {
      const node = { oldest: 1, latest: 20_004 }
      const { of } = yield* overNodes([node, node], { EVENT_SCAN_REQUESTS: "2" })
      const told = yield* of(newAccount())
      assert.deepStrictEqual([told.complete, told.unscanned], [false, { fromLedger: 1, toLedger: 4 }])
    }))
})

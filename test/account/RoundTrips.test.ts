import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { accountWith, type Holding } from "../../scripts/bench/Accounts.ts"
import { accounts, coldAndWarm, type Held } from "../../scripts/bench/Positions.ts"
import { readerOver } from "../../scripts/bench/Reader.ts"
import { depthOf, type Exchange, forcedPages, makeUpstream, pastFacts } from "../../scripts/bench/Upstream.ts"
import { isThorough } from "../support/Thorough.ts"
import { read, timed } from "./support/World.ts"

const latency = 25

/** The requests of the second read of an account; the first one also fetches the network of each endpoint. */
const asked = (holding: Holding) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    return yield* Effect.gen(function*() {
      const account = yield* accountWith(holding)
      yield* timed(read(account), latency)
      const first = yield* upstream.take
      yield* timed(pastFacts, latency)
      const { elapsed, exit } = yield* timed(read(account), latency)
      const { state } = yield* exit
      return { elapsed, exchanges: yield* upstream.take, first, state }
    }).pipe(Effect.provide(readerOver(upstream)))
  })

const plain: Holding = { lines: 0, offers: 0, data: 0, claimable: 0, sponsored: 0 }

describe("sequential round trips", () => {
  it.effect("are two for an account with 30 entries, and no more at the very first read", () =>
    Effect.gen(function*() {
      const { elapsed, exchanges, first, state } = yield* asked({ ...plain, lines: 10, offers: 10, data: 7, claimable: 3 })
      assert.strictEqual(state.numSubEntries + state.claimableBalances.length, 30)
      assert.strictEqual(depthOf(exchanges), 2)
      assert.strictEqual(depthOf(first), 2)
      assert.strictEqual(exchanges.length, 6)
      assert.strictEqual(first.length, 8)
      assert.isAtMost(elapsed, 3 * latency)
    }))

  it.effect("are three where the account sponsors others", () =>
    Effect.gen(function*() {
      const { exchanges, state } = yield* asked({ ...plain, lines: 10, offers: 10, data: 7, claimable: 3, sponsored: 10 })
      assert.strictEqual(state.sponsoredEntries.length, 10)
      assert.strictEqual(depthOf(exchanges), 3)
    }))

  it.effect("are three and the pages of the longest list for a thousand sub-entries and 200 claimable balances", () =>
    Effect.gen(function*() {
      const { exchanges, state } = yield* asked({ ...plain, lines: 300, offers: 500, data: 200, claimable: 200 })
      assert.strictEqual(state.numSubEntries, 1000)
      assert.deepStrictEqual(
        [state.trustlines.length, state.openOffers.length, state.dataEntries.length, state.claimableBalances.length],
        [300, 500, 200, 200]
      )
      assert.isFalse(state.subEntryMismatch)
      assert.strictEqual(forcedPages(exchanges), 2)
      assert.isAtMost(depthOf(exchanges), 3 + forcedPages(exchanges))
    }))

  it.effect.runIf(isThorough)(
    "leave time for thousands of claimable balances within the deadline, at a quarter of a second each",
    () =>
      Effect.gen(function*() {
        const { exchanges, state } = yield* asked({ ...plain, claimable: 3000 })
        assert.strictEqual(new Set(state.claimableBalances.map(({ id }) => id)).size, 3000)
        assert.isBelow(depthOf(exchanges) * 250, 20_000)
      })
  )
})

describe("sequential round trips where protocols are deployed", () => {
  const trips = (held: Held) =>
    Effect.map(timed(coldAndWarm(held), latency), ({ exit }) => exit).pipe(
      Effect.flatten,
      Effect.map(({ cold, positions, warm }) => ({
        positions,
        cold: depthOf(cold),
        warm: depthOf(warm),
        batches: warm.filter(({ keys }) => keys > 2).length
      }))
    )

  it.effect(
    "are two for an account without positions, and one more for one with positions, whatever has to be asked of oracles",
    () =>
      Effect.gen(function*() {
        for (const [name, held] of accounts) {
          const { batches, cold, positions, warm } = yield* trips(held)
          assert.strictEqual(warm, positions === 0 ? 2 : 3, name)
          // The keys of all protocols travel together, in each round.
          assert.strictEqual(batches, positions === 0 ? 1 : 2, name)
          // The very first read also finds the contracts that no file lists.
          assert.isAtMost(cold, warm + 4, name)
        }
      }),
    20_000
  )
})

describe("the depth of exchanges", () => {
  const exchange = (start: number, end: number): Exchange => ({
    origin: "",
    question: "",
    start: BigInt(start),
    end: BigInt(end),
    bytes: 0,
    keys: 0
  })
  it("is one for exchanges side by side", () => assert.strictEqual(depthOf([exchange(0, 10), exchange(1, 11), exchange(9, 20)]), 1))
  it("counts those that waited for another", () =>
    assert.strictEqual(depthOf([exchange(10, 20), exchange(0, 10), exchange(20, 30), exchange(5, 40)]), 3))
  it("is none for nothing", () => assert.strictEqual(depthOf([]), 0))
})

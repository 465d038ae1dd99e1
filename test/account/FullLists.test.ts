import { assert, describe, it } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { accountsBeside, callsOf, exchangesOf, listed, most, services } from "../../scripts/bench/FullLists.ts"
import { readerOn } from "../../scripts/bench/Reader.ts"
import { depthOf, makeUpstream } from "../../scripts/bench/Upstream.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { isThorough } from "../support/Thorough.ts"
import { timed } from "./support/World.ts"

const latency = 25

/** Of a warm read by each service: calls for entries with the keys of each, calls of getters, sequential trips. */
const costs = (account: Keypair) =>
  Effect.forEach(services, ([, contracts]) =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      const { exit } = yield* timed(Effect.provide(exchangesOf(upstream, account), readerOn(upstream, contracts)), latency)
      const { positions, warm } = yield* exit
      return {
        held: [...new Set(positions.positions.map(({ protocol }) => protocol))].toSorted(),
        contracts: Object.fromEntries(Object.entries(positions.queryKeys.slices).map(([name, slice]) => [name, slice.contracts.length])),
        entries: callsOf(warm),
        keys: warm.filter(({ keys }) => keys > 2).map(({ keys }) => keys).toSorted((one, other) => other - one),
        getters: warm.filter(({ question }) => question === "simulateTransaction").length,
        trips: depthOf(warm)
      }
    }))

describe("a read with lists of pools as long as on the public network", () => {
  it.effect.runIf(isThorough)(
    "costs few calls and trips more than one without, whether something is held there or not",
    () =>
      Effect.gen(function*() {
        const { holder, nobody } = yield* accountsBeside(listed)
        const [without, none] = yield* costs(nobody)
        const [less, all] = yield* costs(holder)
        if (without === undefined || none === undefined || less === undefined || all === undefined) return assert.fail("not both services")
        // The router, the factory and its router, and the factory are contracts too.
        const { amm_1, amm_2, amm_3 } = none.contracts
        assert.deepStrictEqual([amm_1, amm_2, amm_3], [listed.amm1 + 1, listed.amm2 + 2, listed.amm3 + 1])
        assert.deepStrictEqual([without.held, none.held], [[], []])
        assert.deepStrictEqual([less.held, all.held], [["cdp_1", "lend_1"], everyProtocol.toSorted()])

        assert.deepStrictEqual([without.entries, without.trips, without.getters], [3, 2, 0])
        assert.deepStrictEqual([none.entries, none.trips, none.getters], [5, 2, 0])
        // One key for each pool and pair, two for each pool with a stake; one for the factory of pairs.
        const first = without.keys.reduce((sum, keys) => sum + keys, 0) + listed.amm1 + listed.amm2 + 2 * listed.amm3 + 1
        assert.deepStrictEqual(none.keys, [200, 200, first - 400])

        assert.deepStrictEqual([less.entries, less.trips, less.getters], [5, 4, 0])
        assert.deepStrictEqual([all.entries, all.trips, all.getters], [7, 4, 4])

        assert.isAtMost(none.entries - without.entries, most.calls)
        assert.isAtMost(all.entries - less.entries, most.calls)
        assert.isAtMost(none.trips - without.trips, most.trips)
        assert.isAtMost(all.trips - less.trips, most.trips)
      }).pipe(Effect.provide(Network.layer()), (body) => Effect.zipRight(TestClock.setTime(Date.UTC(2026, 0, 1)), body)),
    60_000
  )
})

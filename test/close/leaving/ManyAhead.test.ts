import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Planner } from "../../../src/close/answer/Planner.ts"
import { Latency } from "../../../src/sandbox/faults/Connection.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { deployed } from "../../../src/serving/EmbeddedSandbox.ts"
import { timed } from "../../account/support/World.ts"
import { inMemory, onTestnet } from "../../deep/support/InMemory.ts"
import { isThorough } from "../../support/Thorough.ts"
import { LendingToMany } from "./support/ManyPools.ts"

/** Plans the close of an account in this many pools with this time for each simulation. Returns the plan and its milliseconds. */
const planned = (pools: number, millis: number) =>
  Effect.gen(function*() {
    const { destination, source } = yield* LendingToMany(pools)
    const { closeLedger, faults } = yield* Network
    yield* closeLedger({ advanceSeconds: 5 })
    yield* faults.set({ fault: new Latency({ millis }), rpc: "simulateTransaction" })
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const { elapsed, exit } = yield* timed(onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request))), 250)
    return { elapsed, plan: yield* exit }
  }).pipe(Effect.provide(inMemory(undefined, {}, deployed("lend_1"))))

const notInTime = /^The exit of \S+ and of (\d+) more positions? was not simulated in time/

describe("the exits of an account in more than a hundred pools", () => {
  it.effect.runIf(isThorough)("are all simulated ahead where there is time for it", () =>
    Effect.gen(function*() {
      const { plan: { projection, transactions } } = yield* planned(120, 1)
      assert.lengthOf(transactions.filter(({ simulated }) => simulated !== null), 120)
      assert.isEmpty(projection.unverified.filter((doubt) => doubt.includes("in time")))
    }), 120_000)

  it.effect.runIf(isThorough)("are counted where their turn did not come in time, and the plan still is", () =>
    Effect.gen(function*() {
      // Sixteen in parallel: a hundred take ten seconds.
      const { elapsed, plan: { estimate, projection, transactions } } = yield* planned(120, 1_600)
      assert.isAtMost(elapsed, 14_000)
      assert.strictEqual(estimate.transactionCount, 121)
      const simulated = transactions.filter((one) => one.simulated !== null).length
      assert.isTrue(simulated >= 100 && simulated < 120, `${simulated}`)
      const told = projection.unverified.flatMap((doubt) => notInTime.exec(doubt)?.[1] ?? [])
      assert.deepStrictEqual(told, [`${120 - simulated - 1}`])
      const doubted = projection.unverified.flatMap((doubt) =>
        /^Transactions of index (.*): the call was not simulated in time/.exec(doubt)?.[1] ?? []
      )
      const unsimulated = transactions.flatMap(({ index, simulated: at }) => (at === null && index < 120 ? [index] : []))
      assert.deepStrictEqual(doubted, [unsimulated.join(", ")])
    }), 120_000)
})

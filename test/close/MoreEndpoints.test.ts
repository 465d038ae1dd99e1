import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Hang } from "../../src/sandbox/faults/Hang.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServiceUnavailable.ts"
import { LendingDebt } from "../../src/sandbox/scenarios/LendingDebt.ts"
import { layer } from "../support/Layered.ts"
import { answersTo } from "./support/Answering.ts"
import { next, plan } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

const alone = { excludeTestServices: true }

const indebted = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const { destination, source } = yield* on(LendingDebt)
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  return { ...request, decisions: answersTo(yield* plan(request), "convert_to_native") }
})

const forget = Effect.map(Sources, (all) => {
  for (const { asked } of all) asked.length = 0
})

layer(sourcesService(3, {}, ["lend_1"]), alone)("a call that hands tokens over, with three contract RPCs", (it) => {
  it.effect("is confirmed by the third where the second is silent", () =>
    Effect.gen(function*() {
      const [first, second, third] = yield* Sources
      const request = yield* indebted
      yield* forget
      yield* second!.faults.set({ fault: new Hang({}), rpc: "*" })
      const { transactions, warnings } = yield* Effect.ensuring(next(request), second!.faults.clear())
      assert.deepStrictEqual([transactions[0]?.covers, warnings], [["EXIT_POSITIONS"], undefined])
      assert.include(first!.asked, "simulateTransaction")
      assert.include(second!.asked, "getLedgerEntries")
      assert.deepStrictEqual(third!.asked.filter((method) => method !== "getNetwork"), ["getLedgerEntries"])
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)(
  "a call that is simulated, where the contract RPC fails in the middle of the request",
  (it) => {
    it.effect("is read anew from the one that takes over, all of it", () =>
      Effect.gen(function*() {
        const [first, second] = yield* Sources
        const request = yield* indebted
        yield* forget
        yield* first!.faults.set({ fault: new ServiceUnavailable({}), rpc: "simulateTransaction" })
        const { transactions } = yield* Effect.ensuring(next(request), first!.faults.clear())
        assert.deepStrictEqual(transactions[0]?.covers, ["EXIT_POSITIONS"])
        const [before, after] = [first!.asked, second!.asked].map((asked) => asked.filter((method) => method === "getLedgerEntries").length)
        assert.isAbove(before!, 0)
        // Whatever the first one had shown was asked of the second as well, and then the first was asked once, as the witness.
        assert.isAtLeast(after!, before! - 1)
        assert.include(second!.asked.slice(second!.asked.indexOf("simulateTransaction") + 1), "getLedgerEntries")
      }))
  }
)

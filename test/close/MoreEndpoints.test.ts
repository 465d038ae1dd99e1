import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, variant } from "../../src/ledger/soroban/Values.ts"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { keyOfContractData } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { LendingDebt } from "../support/scenarios/LendingDebt.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { firstOf } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { next, offered, plan, refusal } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { ahead, type Lie, operatorsService, Sources, sourcesService } from "./support/Sources.ts"

/** The key (base64) of an account's entry in the lending pool. */
const positionOf = (owner: Keypair): string =>
  keyOfContractData(lendingContracts.pool, variant("Positions", addressVal(addressOf(owner.publicKey()))), "persistent").toXdr("base64")

const alone = { excludeTestServices: true }

const indebted = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const { destination, source } = yield* on(LendingDebt)
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  return { ...request, source, decisions: answersTo(yield* plan(request), "convert_to_native") }
})

const forget = Effect.map(Sources, (all) => {
  for (const { asked } of all) asked.length = 0
})

layer(sourcesService(3, {}, ["lend_1"]), alone)("a call that hands tokens over, with three contract RPCs", (it) => {
  it.effect("is confirmed by the third where the second is silent", () =>
    Effect.gen(function*() {
      const [first, second, third] = yield* Sources
      const { source, ...others } = yield* indebted
      const request = { ...others, source: source.publicKey() }
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
        const { source, ...others } = yield* indebted
        const request = { ...others, source: source.publicKey() }
        yield* forget
        yield* first!.faults.set({ fault: new ServiceUnavailable({}), rpc: "simulateTransaction" })
        const { transactions } = yield* Effect.ensuring(next(request), first!.faults.clear())
        assert.deepStrictEqual(transactions[0]?.covers, ["EXIT_POSITIONS"])
        const [before, after] = [first!.asked, second!.asked].map((asked) => asked.filter((method) => method === "getLedgerEntries").length)
        assert.isAbove(before!, 0)
        // The second endpoint also gets every request of the first. The first then gets one more, as the witness.
        assert.isAtLeast(after!, before! - 1)
        assert.include(second!.asked.slice(second!.asked.indexOf("simulateTransaction") + 1), "getLedgerEntries")
      }))
  }
)

const later = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

/** Reports no entry under this key (base64). */
const without = (key: string): Lie => (method, result) => {
  if (method !== "getLedgerEntries") return result
  const entries = (result["entries"] ?? []) as ReadonlyArray<{ readonly key: string }>
  return { ...result, entries: entries.filter((one) => one.key !== key) }
}

/** Lies once, where the lie matters, and is honest from then on. */
const once = (lie: Lie): Lie => {
  let isOver = false
  return async (method, result, params) => {
    const told = isOver ? result : await lie(method, result, params)
    if (JSON.stringify(told) !== JSON.stringify(result)) isOver = true
    return told
  }
}

layer(sourcesService(2, {}, ["lend_1"]), alone)("of two contract RPCs the second", (it) => {
  it.effect("leaves a position out once: both are read once more, and the call is built on what they say then", () =>
    Effect.gen(function*() {
      const [, liar] = yield* Sources
      const { source, ...request } = yield* indebted
      const lie = without(positionOf(source))
      const { covers } = yield* liar!.lying(once(lie), offered({ ...request, source: source.publicKey() }))
      assert.deepStrictEqual(covers, ["EXIT_POSITIONS"])
      const refused = yield* liar!.lying(lie, refusal("next", { ...request, source: source.publicKey() }))
      assert.deepInclude(refused, { status: 503, code: "sources_disagree" })
    }))
})

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"], [2, "third"]] as const)) {
  layer(sourcesService(3, {}, ["lend_1"]), alone)(`of three contract RPCs the ${name}`, (it) => {
    it.effect("stays behind: a merge is built on what the others show", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const behind = (yield* Sources)[place]!
        const { destination, source } = yield* on(LendingNewcomer)
        yield* later
        const { covers } = yield* behind.stuck(
          Effect.zipRight(Effect.zipRight(later, later), offered(acknowledged(source, destination)))
        )
        assert.deepStrictEqual(covers, ["MERGE"])
      }))

    it.effect("leaves a position out: the close goes on by what the two others agree on", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const liar = (yield* Sources)[place]!
        const { destination, source } = yield* on(LendingSupply)
        yield* later
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "exit", "convert_to_native")
        const { covers } = yield* liar.lying(without(positionOf(source)), offered({ ...request, decisions }))
        assert.deepStrictEqual(covers, ["EXIT_POSITIONS"])
      }))
  })
}

layer(sourcesService(3, {}, ["lend_1"]), alone)("of three contract RPCs the second always shows a change in its next ledger:", (it) => {
  it.effect("a call that hands tokens over is built on what the two others agree on", () =>
    Effect.gen(function*() {
      const [, liar] = yield* Sources
      const { source, ...request } = yield* indebted
      const { covers } = yield* liar!.lying(ahead, offered({ ...request, source: source.publicKey() }))
      assert.deepStrictEqual(covers, ["EXIT_POSITIONS"])
    }))
})

layer(sourcesService(3, {}, ["lend_1"]), alone)("of three contract RPCs the second, which requests are sent to first,", (it) => {
  it.effect("leaves a position out: the close goes on by what the two others agree on", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [first, liar] = yield* Sources
      const { destination, source } = yield* on(LendingSupply)
      yield* later
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      // The first fails while the plan is made. The second takes over, and the next request is sent to it.
      yield* first!.faults.set({ fault: new ServiceUnavailable({}), rpc: "*" })
      const decisions = answersTo(yield* Effect.ensuring(plan(request), first!.faults.clear()), "exit", "convert_to_native")
      yield* forget
      const { covers } = yield* liar!.lying(without(positionOf(source)), offered({ ...request, decisions }))
      assert.deepStrictEqual(covers, ["EXIT_POSITIONS"])
      assert.include(liar!.asked, "getLatestLedger")
    }))
})

layer(operatorsService(2), alone)("of two ledger APIs the first stays ten ledgers behind: the merge of an account at rest", (it) => {
  const stuck = { fault: new LaggingLedgerApi({ ledgers: 10 }), rest: "*" as const }
  const atRest = Effect.gen(function*() {
    const { destination, source } = yield* (yield* Service).on(Pair())
    for (let ledger = 0; ledger < 12; ledger += 1) yield* later
    return acknowledged(source, destination)
  })

  it.effect("is refused where the second stays behind as well", () =>
    Effect.gen(function*() {
      const all = yield* Sources
      const request = yield* atRest
      for (const { faults } of all) yield* faults.set(stuck)
      assert.deepInclude(yield* refusal("next", request), { status: 503, code: "ledger_api_lagging" })
      for (const { faults } of all) yield* faults.clear()
    }))

  it.effect("is built on what the second shows", () =>
    Effect.gen(function*() {
      const [first] = yield* Sources
      const request = yield* atRest
      yield* first!.faults.set(stuck)
      assert.deepStrictEqual((yield* Effect.ensuring(offered(request), first!.faults.clear())).covers, ["MERGE"])
    }))
})

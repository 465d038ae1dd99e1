import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Option, Ref } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { pinned } from "../../src/chain/Pin.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { dataKey, keyText } from "../../src/xdr/LedgerKeys.ts"
import { dataEntry, someAddress, unsponsored } from "./support/Entries.ts"

const owner = someAddress()
const key = (index: number) => dataKey(owner, `entry ${index}`)
const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => key(from + index))
const nameOf = (asked: xdr.LedgerKey): string => (asked.type === "data" ? asked.data.dataName.toString() : "")

/**
 * Entries over an RPC that has every entry with an even number; `calls` are the keys of each call, `most` the parallel calls. `ledgerAt`:
 * the newest ledger at each call.
 */
const entriesOver = (answers: (calls: number) => boolean = () => true, ledgerAt: (calls: number) => number = () => 7) =>
  Effect.gen(function*() {
    const calls = yield* Ref.make<ReadonlyArray<ReadonlyArray<string>>>([])
    const running = yield* Ref.make({ now: 0, most: 0 })
    const rpc = Layer.mock(ContractRpc, {
      latestLedger: Effect.never,
      feeStats: Effect.never,
      origins: [],
      each: [],
      endpoints: Effect.succeed([]),
      ledgerEntries: (asked) =>
        Effect.gen(function*() {
          const count = (yield* Ref.updateAndGet(calls, (all) => [...all, asked.map(keyText)])).length
          yield* Ref.update(running, ({ most, now }) => ({ now: now + 1, most: Math.max(most, now + 1) }))
          yield* Effect.yieldNow()
          yield* Ref.update(running, ({ most, now }) => ({ now: now - 1, most }))
          if (!answers(count)) return yield* new UpstreamUnusable({ source: "contract_rpc" })
          const held = asked.filter((each) => Number(nameOf(each).split(" ")[1]) % 2 === 0)
          const latestLedger = ledgerAt(count)
          return {
            latestLedger,
            entries: held.map((each) => ({
              key: each,
              entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: 5, data: dataEntry(owner, nameOf(each)), ext: unsponsored }),
              liveUntilLedger: null,
              latestLedger
            }))
          }
        })
    })
    const services = yield* Layer.build(LedgerEntries.layer.pipe(Layer.provide(rpc)))
    const entries = yield* Effect.provide(LedgerEntries, services)
    return { entries, calls: Ref.get(calls), most: Effect.map(Ref.get(running), ({ most }) => most) }
  })

describe("many", () => {
  it.scoped("answers every key in its place", () =>
    Effect.gen(function*() {
      const { entries } = yield* entriesOver()
      const found = yield* entries.many([key(3), key(2), key(0)])
      assert.deepStrictEqual(found.map(Option.map((live) => nameOf(live.key))), [
        Option.none(),
        Option.some("entry 2"),
        Option.some("entry 0")
      ])
    }))

  it.scoped("asks once for a key that comes twice, and answers it twice", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      const found = yield* entries.many([key(2), key(4), key(2)])
      assert.deepStrictEqual(found.map(Option.isSome), [true, true, true])
      assert.deepStrictEqual(yield* calls, [[keyText(key(2)), keyText(key(4))]])
    }))

  it.scoped("asks for 200 keys a call and four calls at a time", () =>
    Effect.gen(function*() {
      const { calls, entries, most } = yield* entriesOver()
      const found = yield* entries.many(keys(0, 1201))
      assert.strictEqual(found.filter(Option.isSome).length, 601)
      const asked = yield* calls
      assert.deepStrictEqual(asked.map(({ length }) => length).toSorted((a, b) => b - a), [200, 200, 200, 200, 200, 200, 1])
      assert.strictEqual(new Set(asked.flat()).size, 1201)
      assert.strictEqual(yield* most, 4)
    }))

  it.scoped("fails when one of its calls fails", () =>
    Effect.gen(function*() {
      const { entries } = yield* entriesOver((count) => count !== 2)
      assert.strictEqual((yield* Effect.flip(entries.many(keys(0, 500))))._tag, "UpstreamUnusable")
    }))

  it.scoped("asks nobody for nothing", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      assert.deepStrictEqual(yield* entries.many([]), [])
      assert.deepStrictEqual(yield* calls, [])
    }))
})

describe("one", () => {
  it.scoped("joins the questions asked beside it in one call", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      const [left, right, several] = yield* Effect.all([entries.one(key(0)), entries.one(key(1)), entries.many([key(0), key(2)])], {
        batching: true,
        concurrency: "unbounded"
      })
      assert.isTrue(Option.isSome(left))
      assert.isTrue(Option.isNone(right))
      assert.deepStrictEqual(several.map(Option.isSome), [true, true])
      assert.deepStrictEqual(yield* calls, [[keyText(key(0)), keyText(key(1)), keyText(key(2))]])
    }))

  it.scoped("remembers nothing: the next question asks again", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      yield* entries.one(key(0))
      yield* entries.one(key(0))
      assert.strictEqual((yield* calls).length, 2)
    }))

  it.scoped("remembers no failure either", () =>
    Effect.gen(function*() {
      const { entries } = yield* entriesOver((count) => count > 1)
      assert.strictEqual((yield* Effect.flip(entries.one(key(0))))._tag, "UpstreamUnusable")
      assert.isTrue(Option.isSome(yield* entries.one(key(0))))
    }))
})

describe("within a request that keeps to one endpoint", () => {
  const names = (asked: ReadonlyArray<ReadonlyArray<string>>) =>
    asked.map((call) => call.map((text) => nameOf(xdr.LedgerKey.fromXdr(text, "base64"))))

  it.scoped("what was shown is not asked for again, absent entries neither, and every answer stands in its place", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      const found = yield* pinned(
        "testnet",
        Effect.zipRight(entries.many([key(2), key(3)]), entries.many([key(4), key(3), key(2), key(5), key(4)]))
      )
      assert.deepStrictEqual(found.map(Option.map((live) => nameOf(live.key))), [
        Option.some("entry 4"),
        Option.none(),
        Option.some("entry 2"),
        Option.none(),
        Option.some("entry 4")
      ])
      assert.deepStrictEqual(names(yield* calls), [["entry 2", "entry 3"], ["entry 4", "entry 5"]])
    }))

  it.scoped("on a newer ledger everything is asked for again, so that what is asked for together is of one ledger", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver(() => true, (count) => (count < 2 ? 7 : 8))
      const found = yield* pinned("testnet", Effect.zipRight(entries.answers([key(2)]), entries.answers([key(2), key(4)])))
      assert.deepStrictEqual(found.map(({ latestLedger }) => latestLedger), [8, 8])
      assert.deepStrictEqual(names(yield* calls), [["entry 2"], ["entry 4"], ["entry 2", "entry 4"]])
    }))

  it.scoped("what is asked for anew is asked for, and what was shown on the ledger before it is forgotten then", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver(() => true, (count) => 6 + count)
      const [again] = yield* pinned(
        "testnet",
        entries.many([key(2), key(4)]).pipe(Effect.zipRight(entries.anew([key(2)])), Effect.zipRight(entries.answers([key(4)])))
      )
      assert.strictEqual(again?.latestLedger, 9)
      assert.deepStrictEqual(names(yield* calls), [["entry 2", "entry 4"], ["entry 2"], ["entry 4"]])
    }))

  it.scoped("the next request knows nothing of it, and one that keeps to no endpoint remembers nothing", () =>
    Effect.gen(function*() {
      const { calls, entries } = yield* entriesOver()
      yield* pinned("testnet", entries.many([key(2)]))
      yield* pinned("testnet", entries.many([key(2)]))
      yield* Effect.zipRight(entries.many([key(2)]), entries.many([key(2)]))
      assert.deepStrictEqual(names(yield* calls), [["entry 2"], ["entry 2"], ["entry 2"], ["entry 2"]])
    }))
})

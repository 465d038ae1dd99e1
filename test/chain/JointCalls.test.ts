import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Duration, Effect, Fiber, Layer, TestClock } from "effect"
import type { ChainFailure } from "../../src/chain/ChainFailure.ts"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { type JointCalls, jointCalls, withJointCalls } from "../../src/chain/JointCalls.ts"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { pinned } from "../../src/chain/Pin.ts"
import { gatheringTime } from "../../src/chain/RpcPolicy.ts"
import { dataKey, keyText } from "../../src/xdr/LedgerKeys.ts"
import { dataEntry, someAddress, unsponsored } from "./support/Entries.ts"
import { type Reaction, scripted, type Seen, settings } from "./support/Scripted.ts"

const origins = ["https://first.example", "https://second.example"] as const
const owner = someAddress()

/** Names by the texts of keys, as they stand in a call. */
const names = new Map<string, string>()
const named = (name: string): xdr.LedgerKey => {
  const key = dataKey(owner, name)
  names.set(keyText(key), name)
  return key
}
const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => named(`${name} ${at}`))

const keysIn = ({ body }: Seen): ReadonlyArray<string> =>
  (body as { readonly params: { readonly keys: ReadonlyArray<string> } }).params.keys
const namesIn = (seen: Seen): ReadonlyArray<string> => keysIn(seen).map((text) => names.get(text) ?? "")

/** Every entry is there. */
const shown = (seen: Seen): Reaction => ({
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: {
      latestLedger: 7,
      entries: keysIn(seen).map((key) => ({
        key,
        xdr: dataEntry(owner, names.get(key) ?? "").toXdr("base64"),
        lastModifiedLedgerSeq: 5,
        extXdr: unsponsored.toXdr("base64")
      }))
    }
  })
})

const refusal: Reaction = { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no" } }) }

/** An RPC whose endpoints have already reported their network, and the keys of their later calls. */
const rpcOver = (urls: ReadonlyArray<string>, react: (seen: Seen, count: number) => Reaction) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const [first = "", ...others] = urls
    const places = settings([new URL(first), ...others.map((url) => new URL(url))])
    const rpc = yield* Effect.provide(ContractRpc, yield* Layer.build(Layer.provide(ContractRpc.layer, [transport.layer, places])))
    return { rpc, seen: transport.seen, calls: Effect.map(transport.seen, (all) => all.map(namesIn)) }
  })

/** Requests of one batch, one key each, on a clock that moves by this much. */
const batched = (
  rpc: ContractRpc["Type"],
  questions: ReadonlyArray<ReadonlyArray<xdr.LedgerKey>>,
  time: Duration.DurationInput = gatheringTime,
  calls: JointCalls = jointCalls()
) =>
  Effect.gen(function*() {
    const asking = yield* Effect.fork(
      Effect.forEach(questions, (keys) => Effect.either(withPatience(withJointCalls(calls)(rpc.ledgerEntries(keys)))), {
        concurrency: "unbounded"
      })
    )
    yield* TestClock.adjust(time)
    return (yield* Fiber.join(asking)).map((told) =>
      told._tag === "Right" ? told.right.entries.map(({ key }) => names.get(keyText(key))) : told.left._tag
    )
  })

describe("questions of requests of one batch", () => {
  it.scoped("that are put at the same time go in one call, and each has its own answer", () =>
    Effect.gen(function*() {
      const { calls, rpc } = yield* rpcOver([origins[0]], shown)
      const [own, both, other] = [named("own"), named("both"), named("other")]
      assert.deepStrictEqual(yield* batched(rpc, [[own, both], [both, other]]), [["own", "both"], ["both", "other"]])
      assert.deepStrictEqual(yield* calls, [["own", "both", "other"]])
    }))

  it.scoped("go by themselves in a batch of one, without a wait, and outside of a batch", () =>
    Effect.gen(function*() {
      const { calls, rpc } = yield* rpcOver([origins[0]], shown)
      const [one, other] = [named("one"), named("other")]
      assert.deepStrictEqual(yield* batched(rpc, [[one]], 0), [["one"]])
      yield* Effect.all([rpc.ledgerEntries([one]), rpc.ledgerEntries([other])], { concurrency: 2 })
      assert.deepStrictEqual(yield* calls, [["one"], ["one"], ["other"]])
    }))

  it.scoped("make another call where one would have more than 200 keys", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver([origins[0]], shown)
      const found = yield* batched(rpc, [many("a", 90), many("b", 90), many("c", 90), many("d", 90)])
      assert.deepStrictEqual(found.map(({ length }) => length), [90, 90, 90, 90])
      assert.deepStrictEqual((yield* seen).map((one) => keysIn(one).length), [180, 180])
    }))

  it.scoped("wait no longer than 20 ms for one that asks nothing, and join no call that has gone out", () =>
    Effect.gen(function*() {
      const { calls, rpc } = yield* rpcOver([origins[0]], shown)
      const together = jointCalls()
      const idle = yield* Effect.fork(withJointCalls(together)(Effect.never))
      const asking = yield* Effect.fork(withJointCalls(together)(rpc.ledgerEntries([named("early")])))
      yield* TestClock.adjust(Duration.subtract(gatheringTime, 1))
      assert.isEmpty(yield* calls)
      yield* TestClock.adjust(1)
      yield* Fiber.join(asking)
      assert.deepStrictEqual(yield* batched(rpc, [[named("late")]], gatheringTime, together), [["late"]])
      assert.deepStrictEqual(yield* calls, [["early"], ["late"]])
      yield* Fiber.interrupt(idle)
    }))

  it.scoped("go to the endpoint that each request keeps to", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver(origins, shown)
      const together = jointCalls()
      const from = (place: number, name: string) =>
        pinned("testnet", withJointCalls(together)(rpc.ledgerEntries([named(name)])), { from: place })
      yield* Effect.all([from(0, "a"), from(1, "b"), from(0, "c"), from(1, "d")], { concurrency: "unbounded" }).pipe(
        Effect.fork,
        Effect.zipLeft(TestClock.adjust(gatheringTime)),
        Effect.flatMap(Fiber.join)
      )
      assert.sameDeepMembers((yield* seen).map((one) => [one.origin, ...namesIn(one)]), [[origins[0], "a", "c"], [origins[1], "b", "d"]])
    }))
})

describe("a call for several requests", () => {
  const poisoned = (reaction: Reaction) => (seen: Seen): Reaction => (namesIn(seen).includes("bad") ? reaction : shown(seen))
  const faults: ReadonlyArray<readonly [string, Reaction, ChainFailure["_tag"], Duration.DurationInput]> = [
    ["is called wrong", refusal, "UpstreamUnusable", "20 millis"],
    ["cannot be read", { body: "<html>" }, "UpstreamUnusable", "20 millis"],
    ["is cut off", "cut", "NetworkUnavailable", "10 seconds"],
    ["hangs", "hang", "NetworkUnavailable", "25 seconds"]
  ]
  for (const [how, reaction, failure, time] of faults) {
    it.scoped(`that ${how} for the key of one of them costs the others nothing`, () =>
      Effect.gen(function*() {
        const { calls, rpc } = yield* rpcOver([origins[0]], poisoned(reaction))
        const found = yield* batched(rpc, [[named("bad")], [named("good")], [named("fine")]], time)
        assert.deepStrictEqual(found, [failure, ["good"], ["fine"]])
        const made = yield* calls
        assert.deepStrictEqual(made[0], ["bad", "good", "fine"])
        assert.isTrue(made.slice(1).every(({ length }) => length === 1))
        assert.lengthOf(made.filter((names) => names.includes("good")), 2)
      }))
  }

  it.scoped("that is turned away is put again after its Retry-After, and by none of them before", () =>
    Effect.gen(function*() {
      const { calls, rpc } = yield* rpcOver(
        [origins[0]],
        (seen, count) => (count === 1 ? { status: 429, headers: { "retry-after": "2" }, body: "" } : shown(seen))
      )
      const asking = yield* Effect.fork(batched(rpc, [[named("one")], [named("other")]], "1900 millis"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* calls, [["one", "other"]])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(asking), [["one"], ["other"]])
    }))

  it.scoped("that hangs counts once against its endpoint", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver([origins[0]], (seen, count) => (count === 1 ? "hang" : shown(seen)))
      const asking = yield* Effect.fork(batched(rpc, ["a", "b", "c", "d"].map((name) => [named(name)]), "6100 millis"))
      yield* TestClock.adjust("6100 millis")
      assert.deepStrictEqual((yield* rpc.endpoints).map(({ health }) => health), ["degraded"])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(asking), [["a"], ["b"], ["c"], ["d"]])
    }))

  it.scoped("is made again by the others where the request that makes it is given up", () =>
    Effect.gen(function*() {
      const { calls, rpc } = yield* rpcOver([origins[0]], (seen) => (namesIn(seen).includes("gone") ? "hang" : shown(seen)))
      const together = jointCalls()
      const first = yield* Effect.fork(withJointCalls(together)(rpc.ledgerEntries([named("gone")])))
      const second = yield* Effect.fork(withJointCalls(together)(rpc.ledgerEntries([named("stays")])))
      yield* TestClock.adjust(gatheringTime)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(gatheringTime)
      assert.lengthOf((yield* Fiber.join(second)).entries, 1)
      assert.deepStrictEqual(yield* calls, [["gone", "stays"], ["stays"]])
    }))
})

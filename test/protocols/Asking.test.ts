import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Deferred, Duration, Effect, Either, Fiber, Option, TestClock } from "effect"
import type { Getter } from "../../src/chain/Getter.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { pinned } from "../../src/chain/Pin.ts"
import { DeadlineExceeded, NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { getterValue } from "../../src/protocols/kit/LedgerView.ts"
import type { LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import type { UntrustedGetter } from "../../src/protocols/kit/Question.ts"
import { answerLoop, type Evaluation, type LoopResult } from "../../src/protocols/reading/QuestionLoop.ts"
import { instanceKey } from "../../src/stellar/ContractKeys.ts"
import { u32 } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { anyContract } from "../support/Addresses.ts"
import { noEntries, rpcSaying } from "./support/Sources.ts"

const oracle = anyContract()
const at = { sequence: 10, closeTime: 1_000n }

const priceOf = (index: number): Getter => ({ contract: oracle, function: "price", args: [u32.encode(index)] })

/** Entries of an empty ledger, and the keys of each call. */
const emptyLedger = () => {
  const calls: Array<ReadonlyArray<string>> = []
  const entries = LedgerEntries.of({
    ...noEntries,
    answers: (keys) =>
      Effect.sync(() => {
        if (keys.length > 0) calls.push(keys.map(keyText))
        return keys.map((key) => ({ key, latestLedger: 10, live: Option.none() }))
      })
  })
  return { entries, calls }
}

/** The result of a loop, and the keys that it read. */
const partsOf = <A>(known: Either.Either<LoopResult<A>, string>) => Either.map(known, ({ keys, value }) => ({ value, keys }))

/** Reads one price, and returns it. */
const price = (view: LedgerView) =>
  Either.match(getterValue(view, priceOf(7), u32), {
    onLeft: ({ questions }) => [null, questions] as const,
    onRight: (told) => [told, []] as const
  })

describe("asking", () => {
  it.effect("puts a getter's own call to the contract, once, and hears what it says", () =>
    Effect.gen(function*() {
      const heard: Array<Getter> = []
      const rpc = rpcSaying((getter) => {
        heard.push(getter)
        return u32.encode(42)
      })
      const { calls, entries } = emptyLedger()
      const key = instanceKey(oracle)
      const known = yield* answerLoop({ entries, rpc }, at, { first: [priceOf(7), key, priceOf(7), key], most: 3 }, price)
      assert.deepStrictEqual(partsOf(known), Either.right({ value: 42, keys: [key] }))
      assert.deepStrictEqual(heard.map(({ args, contract, function: name }) => [contract, name, args]), [[oracle, "price", [
        u32.encode(7)
      ]]])
      assert.deepStrictEqual(calls, [[keyText(key)]])
    }))

  it.effect("takes a call that fails, or says something else, for no answer", () =>
    Effect.gen(function*() {
      for (const said of [null, xdr.ScVal.scvVoid()]) {
        const { entries } = emptyLedger()
        const known = yield* answerLoop({ entries, rpc: rpcSaying(() => said) }, at, { first: [], most: 3 }, price)
        assert.deepStrictEqual(partsOf(known), Either.right({ value: null, keys: [] }))
      }
    }))

  it.effect("does not wait long for what can be done without, nor fails over it", () =>
    Effect.gen(function*() {
      const { entries } = emptyLedger()
      const silent = { ...rpcSaying(), simulateTransaction: () => Effect.never }
      const fiber = yield* Effect.fork(answerLoop({ entries, rpc: silent }, at, { first: [], most: 3 }, price))
      yield* TestClock.adjust("3999 millis")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(partsOf(yield* Fiber.join(fiber)), Either.right({ value: null, keys: [] }))
      const out = { ...rpcSaying(), simulateTransaction: () => Effect.fail(new NetworkUnavailable({ network: "testnet" })) }
      assert.deepStrictEqual(
        partsOf(yield* answerLoop({ entries, rpc: out }, at, { first: [], most: 3 }, price)),
        Either.right({ value: null, keys: [] })
      )
    }))

  it.effect("asks contracts while it reads entries", () =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const entries = LedgerEntries.of({
        ...noEntries,
        answers: (keys) => Effect.as(Deferred.await(answered), keys.map((key) => ({ key, latestLedger: 10, live: Option.none() })))
      })
      const rpc = rpcSaying(() => {
        Effect.runSync(Deferred.succeed(answered, undefined))
        return u32.encode(1)
      })
      const known = yield* answerLoop({ entries, rpc }, at, { first: [instanceKey(oracle), priceOf(7)], most: 3 }, price)
      assert.strictEqual(Either.isRight(known) ? known.right.value : null, 1)
    }))

  it.effect("ends with one that throws, that asks for what it has, or that never has enough", () =>
    Effect.gen(function*() {
      const { entries } = emptyLedger()
      const sources = { entries, rpc: rpcSaying(() => u32.encode(1)) }
      const outcomes = yield* Effect.forEach([
        (): readonly [null, ReadonlyArray<Getter>] => {
          throw new Error("it breaks")
        },
        (): readonly [null, ReadonlyArray<Getter>] => [null, [priceOf(7)]],
        (view: LedgerView): readonly [null, ReadonlyArray<Getter>] => {
          const next = [...Array(20).keys()].find((index) => view.answer(priceOf(index))._tag === "Unread")
          return [null, next === undefined ? [] : [priceOf(next)]]
        }
      ], (evaluate) => answerLoop(sources, at, { first: [], most: 5 }, evaluate))
      assert.deepStrictEqual(outcomes.map(Either.isLeft), [true, true, true])
    }))

  it.effect("lets what is wanted ahead travel with what is needed, waits for none of it, and does not fail over it", () =>
    Effect.gen(function*() {
      const { calls, entries } = emptyLedger()
      const asked: Array<string> = []
      const rpc = rpcSaying(({ args: [number] }) => {
        asked.push(number?.type === "scvU32" ? `${number.u32}` : "")
        return u32.encode(1)
      })
      const ahead = (view: LedgerView) => {
        if (view.answer(priceOf(8))._tag === "Unread") return [priceOf(8), instanceKey(oracle)]
        return view.answer(priceOf(9))._tag === "Unread" ? [priceOf(9)] : []
      }
      const evaluate = (view: LedgerView): Evaluation<number | null> => [...price(view), ahead]
      const known = yield* Effect.flatten(answerLoop({ entries, rpc }, at, { first: [], most: 3 }, evaluate))
      assert.deepStrictEqual([known.value, asked, calls.length], [1, ["7", "8"], 1])
      yield* known.ahead ?? Effect.dieMessage("nothing is left to ask")
      assert.deepStrictEqual([asked, calls.length], [["7", "8", "9"], 1])
      const throwing = (view: LedgerView): Evaluation<number | null> => [...price(view), () => assert.fail("it breaks")]
      const blind = yield* Effect.flatten(answerLoop({ entries, rpc }, at, { first: [], most: 3 }, throwing))
      yield* blind.ahead ?? Effect.dieMessage("nothing is left to ask")
      assert.strictEqual(blind.value, 1)
    }))
})

/** A getter of code that anyone may have written. */
const strangers = (index: number): UntrustedGetter => ({
  contract: oracle,
  function: "balance",
  args: [u32.encode(index)],
  untrusted: true
})

/** A contract RPC on which these getters never answer, and each other one returns its number. Which were called comes with it. */
const hangingRpc = (hangs: (number: number) => boolean) => {
  const called: Array<number> = []
  const honest = rpcSaying(({ args: [number] }) => number ?? null)
  const rpc = {
    ...honest,
    simulateTransaction: (...[envelope, leeway, brief]: Parameters<typeof honest.simulateTransaction>) =>
      Effect.flatMap(honest.simulateTransaction(envelope, leeway), (answer) => {
        const number = answer._tag === "Simulated" && answer.result.type === "scvU32" ? answer.result.u32 : assert.fail()
        called.push(number)
        if (!hangs(number)) return Effect.succeed(answer)
        return brief === undefined ? Effect.never : Effect.delay(Effect.fail(new DeadlineExceeded()), brief)
      })
  }
  return { called, rpc }
}

/** Reads the numbers of these getters; null: it has none. */
const numbersOf = (getters: ReadonlyArray<Getter>) => (view: LedgerView): Evaluation<ReadonlyArray<number | null>> => {
  const told = getters.map((getter) => getterValue(view, getter, u32))
  return [told.map((one) => Either.getOrNull(one)), told.flatMap((one) => (Either.isLeft(one) ? one.left.questions : []))]
}

/** How long an effect takes by the test clock, in steps of half a second. */
const timed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(effect)
    let took = 0
    for (; Option.isNone(yield* Fiber.poll(fiber)); took += 500) {
      assert.isBelow(took, 60_000)
      yield* TestClock.adjust("500 millis")
    }
    return { value: yield* Fiber.join(fiber), took }
  })

describe("getters of code that anyone may have written", () => {
  const many = Array.from({ length: 100 }, (_, index) => strangers(index))
  const { entries } = emptyLedger()
  const read = (rpc: ReturnType<typeof hangingRpc>["rpc"], getters: ReadonlyArray<Getter>) =>
    Effect.map(
      Effect.flatten(answerLoop({ entries, rpc }, at, { first: [], most: 3 }, numbersOf(getters))),
      ({ value }) => value
    )

  it.effect("all answer where none of them hangs", () =>
    Effect.gen(function*() {
      const { rpc } = hangingRpc(() => false)
      assert.deepStrictEqual(yield* read(rpc, many), many.map((_, index) => index))
    }))

  it.effect("keep a reading waiting two seconds where all of them hang, and no other getter goes without its answer", () =>
    Effect.gen(function*() {
      const { called, rpc } = hangingRpc((number) => number < 100)
      const { took, value } = yield* timed(read(rpc, [...many, priceOf(700), priceOf(701)]))
      assert.deepStrictEqual(value, [...many.map(() => null), 700, 701])
      assert.strictEqual(took, 2_000)
      assert.deepStrictEqual(called.filter((number) => number < 100), [0, 1, 2, 3, 4, 5, 6, 7])
    }))

  it.effect("are not called again in a request where they hung, and leave time for those that its later readings call", () =>
    Effect.gen(function*() {
      const { called, rpc } = hangingRpc((number) => number < 100)
      const all = [...many, strangers(100)]
      const request = Effect.gen(function*() {
        const first = yield* read(rpc, all)
        // As exits are read: each by itself, at the same time.
        const each = yield* Effect.forEach(all.toReversed(), (getter) => read(rpc, [getter]), { concurrency: "unbounded" })
        return { first, each: each.flat(), again: yield* read(rpc, [strangers(100)]) }
      })
      const { took, value } = yield* timed(pinned("testnet", request))
      assert.deepStrictEqual(value.first, all.map(() => null))
      assert.deepStrictEqual(value.each, [100, ...many.map(() => null)])
      assert.deepStrictEqual(value.again, [100])
      assert.isAtMost(took, Duration.toMillis("6 seconds"))
      assert.isAtMost(called.length, 26)
      const hung = called.filter((number) => number < 100)
      assert.strictEqual(new Set(hung).size, hung.length)
    }))
})

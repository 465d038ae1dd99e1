import { assert, describe, it } from "@effect/vitest"
import { Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Schema, TestClock } from "effect"
import { type Exchange, makeUpstream } from "../../scripts/bench/Upstream.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { Decision } from "../../src/domain/Decision.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { deployed, everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, nextSigned, onTestnet, submitted } from "../deep/support/InMemory.ts"
import { LendingBackstop } from "../support/scenarios/LendingBackstop.ts"
import { elsewhere, Ready, signedBy } from "./support/Submitting.ts"

const latency = 50

const encoded = Schema.encodeSync(Decision)

/** Times of the first and the last request of a kind, in milliseconds after the first of all; none without such a request. */
const momentsOf = (asked: ReadonlyArray<Exchange>, kind: string): ReadonlyArray<number> => {
  const began = asked.reduce((least, { start }) => (start < least ? start : least), asked[0]?.start ?? 0n)
  return asked.filter(({ question }) => question.startsWith(kind)).map(({ start }) => Number((start - began) / 1_000_000n))
}

describe("a build after a contract call in the newest ledger", () => {
  it.effect("waits for the next ledger before it reads what is held, and reads it once", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      yield* TestClock.setTime(1_790_000_000_000)
      yield* Effect.gen(function*() {
        const { destination, source } = yield* LendingBackstop
        const { passphrase } = yield* Network
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const soon = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.gen(function*() {
            yield* upstream.take
            const { exit } = yield* timed(work, latency)
            return { value: yield* exit, asked: yield* upstream.take }
          })
        const decisions = ({ decisionPoints }: Plan) =>
          decisionPoints.filter(({ required }) => required).flatMap(({ id, options }) => {
            const chosen = options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0)
            return chosen === undefined
              ? []
              : [encoded({ id, choice: chosen.id, ...(chosen.params === undefined ? {} : { params: chosen.params }) })]
          })
        const answered = Effect.map(
          soon(onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))),
          ({ value }) => ({ ...request, decisions: decisions(value) })
        )
        const build = Effect.flatMap(answered, (order) => soon(onTestnet(Effect.flatMap(Builder, (builder) => builder.next(order)))))
        const first = yield* build
        const transaction = TransactionBuilder.fromXdr(first.value.transactions[0]?.xdr ?? "", passphrase)
        transaction.sign(source)
        yield* soon(submitted(transaction.toXdr()))
        const { asked, value } = yield* build
        assert.isNotNull(value.transactions[0]?.dryRun.simulated ?? null)
        const [poll = assert.fail("no ledger was waited for")] = momentsOf(asked, "getLatestLedger").filter((at) => at > 0)
        assert.isAbove(Math.min(...momentsOf(asked, "simulateTransaction")), poll)
        assert.isAbove(Math.min(...momentsOf(asked, "/paths")), poll)
        // Only the newest ledger is fetched before the poll: this process submitted the call itself.
        assert.isTrue(["/", "getLedgerEntries", "getFeeStats"].flatMap((kind) => momentsOf(asked, kind)).every((at) => at >= poll))
      }).pipe(
        Effect.provide(inMemory(upstream.between, { closeEvery: "5 seconds" }, deployed(...everyProtocol)))
      )
    }))
})

describe("a build after a classic transaction in the newest ledger", () => {
  it.effect("waits for no ledger", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      yield* TestClock.setTime(1_790_000_000_000)
      yield* Effect.gen(function*() {
        const { destination, source } = yield* Effect.flatMap(timed(Ready, latency), ({ exit }) => exit)
        const data = yield* signedBy(source, Operation.manageData({ name: "first", value: "1" }))
        yield* timed(submitted(data), latency)
        yield* upstream.take
        const { exit } = yield* timed(nextSigned(source, destination), latency)
        yield* exit
        assert.deepStrictEqual(momentsOf(yield* upstream.take, "getLatestLedger").filter((at) => at > 0), [])
      }).pipe(Effect.provide(inMemory(upstream.between, { closeEvery: "5 seconds" })))
    }))
})

describe("a plan of a close that is over", () => {
  /** Requests of a plan after this work, a whole trip apart. */
  const askedAfter = <R>(work: (ready: Effect.Effect.Success<typeof Ready>) => Effect.Effect<unknown, unknown, R>) =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      yield* TestClock.setTime(1_790_000_000_000)
      return yield* Effect.gen(function*() {
        const ready = yield* Effect.flatMap(timed(Ready, latency), ({ exit }) => exit)
        yield* work(ready)
        yield* upstream.take
        const request = { source: ready.source.publicKey(), destination: ready.destination.publicKey() }
        const { exit } = yield* timed(onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request))), latency)
        assert.strictEqual((yield* exit).status, "complete")
        return yield* upstream.take
      }).pipe(Effect.provide(inMemory(upstream.between)))
    })

  it.effect("queries the merge beside the history, where this process submitted it", () =>
    Effect.gen(function*() {
      const asked = yield* askedAfter(({ envelope }) => timed(submitted(envelope), latency))
      const history = momentsOf(asked, "/accounts/").at(-1) ?? assert.fail("no history was read")
      assert.deepStrictEqual(momentsOf(asked, "getTransaction"), [history])
    }))

  it.effect("queries no other transaction that this process submitted", () =>
    Effect.gen(function*() {
      const asked = yield* askedAfter(({ destination, source }) =>
        Effect.gen(function*() {
          const first = Operation.manageData({ name: "first", value: "1" })
          yield* timed(submitted(yield* signedBy(source, first)), latency)
          yield* elsewhere(yield* signedBy(source, Operation.manageData({ name: "first", value: null })))
          yield* elsewhere(yield* signedBy(source, Operation.accountMerge({ destination: destination.publicKey() })))
        })
      )
      assert.lengthOf(momentsOf(asked, "getTransaction"), 1)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { type Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Schema, TestClock } from "effect"
import { type Exchange, makeUpstream, type Upstream } from "../../scripts/bench/Upstream.ts"
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

/** Runs work to its end, with the requests that it sent. */
const soonOver = (upstream: Upstream) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* upstream.take
    const { exit } = yield* timed(work, latency)
    return { value: yield* exit, asked: yield* upstream.take }
  })

/** Runs work on the production stack, over sources whose every answer takes its time. */
const overTrips = <A, E, R>(
  work: (soon: ReturnType<typeof soonOver>) => Effect.Effect<A, E, R>,
  options: Parameters<typeof inMemory>[1] = {},
  contracts?: Parameters<typeof inMemory>[2]
) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    yield* TestClock.setTime(1_790_000_000_000)
    return yield* Effect.provide(work(soonOver(upstream)), inMemory(upstream.between, options, contracts))
  })

const planned = (source: Keypair, destination: Keypair) =>
  onTestnet(Effect.flatMap(Planner, ({ plan }) => plan({ source: source.publicKey(), destination: destination.publicKey() })))

describe("a build after a contract call in the newest ledger", () => {
  it.effect("waits for the next ledger before it reads what is held, and reads it once", () =>
    overTrips(
      (soon) =>
        Effect.gen(function*() {
          const { destination, source } = yield* LendingBackstop
          const { passphrase } = yield* Network
          const request = { source: source.publicKey(), destination: destination.publicKey() }
          const decisions = ({ decisionPoints }: Plan) =>
            decisionPoints.filter(({ required }) => required).flatMap(({ id, options }) => {
              const chosen = options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0)
              return chosen === undefined
                ? []
                : [encoded({ id, choice: chosen.id, ...(chosen.params === undefined ? {} : { params: chosen.params }) })]
            })
          const answered = Effect.map(
            soon(planned(source, destination)),
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
        }),
      { closeEvery: "5 seconds" },
      deployed(...everyProtocol)
    ))
})

describe("a build after a classic transaction in the newest ledger", () => {
  it.effect("waits for no ledger", () =>
    overTrips((soon) =>
      Effect.gen(function*() {
        const { destination, source } = (yield* soon(Ready)).value
        yield* soon(submitted(yield* signedBy(source, Operation.manageData({ name: "first", value: "1" }))))
        const { asked } = yield* soon(nextSigned(source, destination))
        assert.deepStrictEqual(momentsOf(asked, "getLatestLedger").filter((at) => at > 0), [])
      }), { closeEvery: "5 seconds" }))
})

describe("a plan of a close that is over", () => {
  it.effect("queries the merge beside the history, where this process submitted it", () =>
    overTrips((soon) =>
      Effect.gen(function*() {
        const { destination, envelope, source } = (yield* soon(Ready)).value
        yield* soon(submitted(envelope))
        const { asked, value } = yield* soon(planned(source, destination))
        assert.strictEqual(value.status, "complete")
        const history = momentsOf(asked, "/accounts/").at(-1) ?? assert.fail("no history was read")
        assert.deepStrictEqual(momentsOf(asked, "getTransaction"), [history])
      })
    ))

  it.effect("queries no other transaction that this process submitted", () =>
    overTrips((soon) =>
      Effect.gen(function*() {
        const { destination, source } = (yield* soon(Ready)).value
        yield* soon(submitted(yield* signedBy(source, Operation.manageData({ name: "first", value: "1" }))))
        yield* elsewhere(yield* signedBy(source, Operation.manageData({ name: "first", value: null })))
        yield* elsewhere(yield* signedBy(source, Operation.accountMerge({ destination: destination.publicKey() })))
        const { asked, value } = yield* soon(planned(source, destination))
        assert.strictEqual(value.status, "complete")
        assert.lengthOf(momentsOf(asked, "getTransaction"), 1)
      })
    ))
})

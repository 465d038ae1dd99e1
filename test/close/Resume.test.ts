import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { firstOf } from "../support/Thorough.ts"
import { answersTo } from "./support/Answering.ts"
import { next, plan, submit } from "./support/Client.ts"
import { Crowded, PoolShareHolder } from "./support/Crowded.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

interface Order {
  readonly source: Keypair
  readonly destination: Keypair
}

/** Combined record of all lives of a client. */
interface Traces {
  /** Submitted envelopes, with repetitions. */
  readonly sent: Array<string>
  /** The operations of each submitted transaction, by hash. */
  readonly operations: Map<string, ReadonlyArray<string>>
  calls: number
}

/** One life of a client. It remembers no earlier life and ends after this many calls of any kind. True once the close is over. */
const live = ({ destination, source }: Order, most: number, traces: Traces): Effect.Effect<boolean, never, Service> =>
  Effect.gen(function*() {
    let left = most
    const call = <A>(made: Effect.Effect<A, never, Service>) =>
      Effect.suspend(() => {
        left--
        traces.calls++
        return made
      })
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const asked = yield* call(plan(request))
    if (asked.status === "complete") return true
    if (left === 0) return false
    const decisions = answersTo(asked, "i_control_this_address", "convert_to_native", "return_to_issuer")
    const ready = yield* call(plan({ ...request, decisions }))
    assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
    for (;;) {
      if (left === 0) return false
      const answer = yield* call(next({ ...request, decisions }))
      const [offered] = answer.transactions
      if (answer.status === "complete" || offered === undefined) return true
      if (left === 0) return false
      const envelope = yield* signed(offered, source)
      traces.sent.push(envelope)
      traces.operations.set(offered.hash, offered.intent.operations.map((operation) => JSON.stringify(operation)))
      yield* call(submit(envelope))
    }
  })

/** A late submission by another party after the client is gone. */
const handInAgain = (signedXdr: string) =>
  Effect.flatMap(Service, ({ call }) => call<ErrorBody>("POST", "/v1/testnet/submit", { signedXdr })).pipe(
    Effect.map(({ body, status }) => (status === 200 ? "success" : body.error.code))
  )

/** Lives of these lengths, over and over, until one reaches the end. */
const relive = (order: Order, lengths: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const before = yield* lumensOf(order.destination)
    const request = { source: order.source.publicKey(), destination: order.destination.publicKey() }
    const first = yield* plan({
      ...request,
      decisions: answersTo(yield* plan(request), "i_control_this_address", "convert_to_native", "return_to_issuer")
    })
    const traces: Traces = { sent: [], operations: new Map(), calls: 0 }
    let lives = 0
    for (;;) {
      const over = yield* live(order, lengths[lives % lengths.length] ?? 4, traces)
      lives++
      if (over) break
      for (const envelope of traces.sent) assert.include(["success", "stale_sequence"], yield* handInAgain(envelope))
      assert.isBelow(lives, 40, "it never comes to an end")
    }
    assert.strictEqual(yield* accountOf(order.source), null)
    for (const envelope of traces.sent) assert.strictEqual(yield* handInAgain(envelope), "success")
    const done = [...traces.operations.values()].flat()
    assert.strictEqual(new Set(done).size, done.length, "no step is done twice")
    assert.strictEqual(traces.operations.size, first.estimate.transactionCount, "no more transactions than were planned")
    assert.strictEqual(showAmount((yield* lumensOf(order.destination)) - before), first.estimate.receivedLumens)
    return { lives, transactions: traces.operations.size }
  })

const long = { data: 70, offers: 30, emptyLines: 110, balances: 5 }

const schedules: ReadonlyArray<readonly [name: string, lengths: ReadonlyArray<number>]> = [
  ["after each call in turn", [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ["right after every submit, its answer lost", [4]],
  ["with a transaction in hand, before it is handed in, and then after a submit", [3, 4]],
  ["after every plan, before anything is decided, and then after a submit", [1, 4]],
  ["after every decided plan, and then after a submit", [2, 4]],
  ["with the second transaction in hand, and then with the third", [5, 7]],
  ["after every second submit", [6]]
]

layer(Service.layer(), { excludeTestServices: true })("a client that is killed", (it) => {
  for (const [name, lengths] of firstOf(2, schedules)) {
    it.effect(`${name}, comes to the end of a long close from nothing`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { transactions } = yield* relive(yield* on(Crowded(long)), lengths)
        assert.isAtLeast(transactions, 3)
      }))
  }

  it.effect("between a pool withdrawal and what follows, goes on with what the pool really paid", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { transactions } = yield* relive(yield* on(PoolShareHolder), [3, 4])
      assert.strictEqual(transactions, 2)
    }))
})

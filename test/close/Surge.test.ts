import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { layer } from "../support/Layered.ts"
import { laterLedger, ToyHolder, toyService } from "./leaving/support/ToyService.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { offered, plan, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { type Bid, calm, closeLedger, crowd, queued, Rivals } from "./support/Rivals.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

/** Operations of each kind that a ledger takes; twice as many wait in the queue. */
const capacity = 2

/** After so many the queue has dropped what bid too little. */
const ledgersInQueue = 5

const tooLittle = { resultCode: "tx_insufficient_fee", operationResultCodes: [] }

/** Fills ledgers with the bids of rivals. One bid is high, so that the 99th percentile exceeds the 90th. */
const surge = (bid: (...bids: ReadonlyArray<Bid>) => Effect.Effect<void, never, Service>, ledgers: number, contracts = false) =>
  Effect.gen(function*() {
    for (let at = 0; at < ledgers; at++) {
      const dear: ReadonlyArray<Bid> = contracts
        ? [{ perOperation: 4000, contracts }, { perOperation: 4000, contracts }, { perOperation: 1000, contracts }]
        : [{ perOperation: 4000, operations: capacity }, { perOperation: 1000 }]
      const usual: ReadonlyArray<Bid> = [{ perOperation: 1000, contracts }, { perOperation: 1000, contracts }]
      yield* bid(...(at === 0 ? dear : usual))
      yield* closeLedger
    }
  })

layer(Service.layer(), { excludeTestServices: true })("in a surge", (it) => {
  it.effect("what a full queue refuses is told what it takes, and the next build bids that", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(Pair())
      const bid = yield* Rivals(4)
      const request = acknowledged(source, destination)
      const cheap = yield* offered(request)
      assert.strictEqual(cheap.intent.feeStroops, "100")
      yield* crowd(capacity)
      yield* bid({ perOperation: 1000 }, { perOperation: 1000 }, { perOperation: 1000 }, { perOperation: 1000 })
      const refused = yield* refusal("submit", { signedXdr: yield* signed(cheap, source) })
      assert.deepStrictEqual(refused, {
        status: 422,
        code: "transaction_rejected",
        details: { ...tooLittle, feeStroops: "1001" },
        retry: "replan",
        retryAfter: null
      })
      const dearer = yield* offered(request)
      assert.strictEqual(dearer.intent.feeStroops, "1001")
      const sent = yield* Effect.fork(submit(yield* signed(dearer, source)))
      yield* queued(dearer.hash)
      yield* closeLedger
      assert.strictEqual((yield* Fiber.join(sent)).hash, dearer.hash)
      assert.isNull(yield* accountOf(source))
    }).pipe(Effect.ensuring(calm)))
})

layer(Service.layer(), { excludeTestServices: true })("in a surge that comes afterwards", (it) => {
  it.effect("what the queue lets go of for its fee is told so once it is gone, and the next build bids what ninety-nine of a hundred paid", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(Pair())
      const bid = yield* Rivals(20)
      const request = acknowledged(source, destination)
      const cheap = yield* offered(request)
      yield* crowd(capacity)
      const sent = yield* Effect.fork(refusal("submit", { signedXdr: yield* signed(cheap, source) }))
      yield* queued(cheap.hash)
      yield* surge(bid, ledgersInQueue)
      assert.deepStrictEqual(yield* Fiber.join(sent), {
        status: 422,
        code: "transaction_rejected",
        details: { ...tooLittle, feeStroops: "4000" },
        retry: "replan",
        retryAfter: null
      })
      assert.isNotNull(yield* accountOf(source))
      const dearer = yield* offered(request)
      assert.deepStrictEqual([dearer.intent.feeStroops, dearer.sourceSequence], ["4000", cheap.sourceSequence])
      yield* bid({ perOperation: 1000 })
      const again = yield* Effect.fork(submit(yield* signed(dearer, source)))
      yield* queued(dearer.hash)
      yield* closeLedger
      assert.strictEqual((yield* Fiber.join(again)).hash, dearer.hash)
      // The dropped transaction may turn up again: its sequence number is used up.
      const late = yield* refusal("submit", { signedXdr: yield* signed(cheap, source) })
      assert.deepInclude(late, { status: 404, code: "not_found" })
    }).pipe(Effect.ensuring(calm)))
})

layer(Service.layer({ MAX_FEE_STROOPS_PER_OPERATION: "600" }), { excludeTestServices: true })(
  "in a surge above what the operator allows",
  (it) => {
    it.effect("the build bids the most that is allowed, and the refusal still tells what it takes", () =>
      Effect.gen(function*() {
        const { destination, source } = yield* (yield* Service).on(Pair())
        const bid = yield* Rivals(4)
        const request = acknowledged(source, destination)
        yield* crowd(capacity)
        yield* bid({ perOperation: 1000 }, { perOperation: 1000 }, { perOperation: 1000 }, { perOperation: 1000 })
        const refused = yield* refusal("submit", { signedXdr: yield* signed(yield* offered(request), source) })
        assert.deepStrictEqual(refused.details, { ...tooLittle, feeStroops: "1001" })
        assert.strictEqual((yield* offered(request)).intent.feeStroops, "600")
      }).pipe(Effect.ensuring(calm)))
  }
)

/** An exit that bids the least, and its request. */
const cheapExit = Effect.gen(function*() {
  const { destination, source } = yield* (yield* Service).on(ToyHolder({ pool: 0 }))
  yield* laterLedger
  const asked = { source: source.publicKey(), destination: destination.publicKey() }
  const request = { ...asked, decisions: answersTo(yield* plan(asked)) }
  const cheap = yield* offered(request)
  assert.strictEqual(cheap.reason, "position_exit")
  return { cheap, request, source }
})

layer(toyService, { excludeTestServices: true })("in a full queue of contract calls", (it) => {
  it.effect("an exit that a full queue refuses is told what it takes, its resource fee included, and the next build bids that", () =>
    Effect.gen(function*() {
      const { cheap, request, source } = yield* cheapExit
      const bid = yield* Rivals(4)
      yield* crowd(capacity)
      const rivals: Bid = { perOperation: 1000, contracts: true }
      yield* bid(rivals, rivals, rivals, rivals)
      const refused = yield* refusal("submit", { signedXdr: yield* signed(cheap, source) })
      const feeStroops = (BigInt(cheap.intent.feeStroops) + 901n).toString()
      assert.deepStrictEqual(refused.details, { ...tooLittle, feeStroops })
      assert.strictEqual((yield* offered(request)).intent.feeStroops, feeStroops)
    }).pipe(Effect.ensuring(calm)))
})

layer(toyService, { excludeTestServices: true })("in a surge of contract calls", (it) => {
  it.effect("an exit that the queue lets go of is told what it takes, its resource fee included, and the next build bids more", () =>
    Effect.gen(function*() {
      const { cheap, request, source } = yield* cheapExit
      const bid = yield* Rivals(20)
      yield* crowd(capacity)
      const sent = yield* Effect.fork(refusal("submit", { signedXdr: yield* signed(cheap, source) }))
      yield* queued(cheap.hash)
      yield* surge(bid, 8, true)
      const refused = yield* Fiber.join(sent)
      assert.deepInclude(refused, { status: 422, code: "transaction_rejected" })
      const resources = BigInt(cheap.intent.feeStroops) - 100n
      assert.deepStrictEqual(refused.details, { ...tooLittle, feeStroops: (resources + 4000n).toString() })
      const dearer = yield* offered(request)
      assert.isAtLeast(Number(dearer.intent.feeStroops), Number(resources) + 3000)
      yield* bid({ perOperation: 1000, contracts: true }, { perOperation: 1000, contracts: true })
      const again = yield* Effect.fork(submit(yield* signed(dearer, source)))
      yield* queued(dearer.hash)
      yield* closeLedger
      assert.strictEqual((yield* Fiber.join(again)).hash, dearer.hash)
    }).pipe(Effect.ensuring(calm)))
})

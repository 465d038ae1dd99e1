import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { LendingAndVaults } from "../../../src/sandbox/scenarios/LendingAndVaults.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { type Bid, calm, closeLedger, crowd, queued, Rivals } from "../support/Rivals.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"

/** Operations of each kind that a ledger takes. The last transaction sells, removes a line and merges. */
const capacity = 3

/** A full ledger in both lanes. With more bids than that, included transactions pay the lowest included bid. */
const full = (perOperation: number, more = 0): ReadonlyArray<Bid> => [
  ...Array.from({ length: capacity + more }, () => ({ perOperation, contracts: true })),
  { perOperation, operations: capacity },
  ...Array.from({ length: more }, () => ({ perOperation }))
]

layer(serviceOver(["lend_1", "cdp_1"]), { excludeTestServices: true })("a close of positions in a surge", (it) => {
  it.effect("is let go of where it bid too little, bids what it takes from then on, and ends with the account gone", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(LendingAndVaults)
      yield* laterLedger
      const bid = yield* Rivals(90)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = answersTo(yield* plan(request))
      const cheap = yield* offered({ ...request, decisions })
      yield* crowd(capacity)
      const sent = yield* Effect.fork(refusal("submit", { signedXdr: yield* signed(cheap, source) }))
      yield* queued(cheap.hash)
      for (let at = 0; at < 8; at++) yield* Effect.zipRight(bid(...full(1000, at === 0 ? 1 : 0)), closeLedger)
      assert.deepInclude(yield* Fiber.join(sent), { status: 422, code: "transaction_rejected" })
      const bids: Array<number> = []
      while ((yield* accountOf(source)) !== null) {
        assert.isBelow(bids.length, 6)
        const next = yield* offered({ ...request, decisions })
        const landing = yield* Effect.fork(submit(yield* signed(next, source)))
        yield* queued(next.hash)
        // A transaction that waited longer goes first at an equal bid.
        yield* Effect.zipRight(closeLedger, closeLedger)
        assert.strictEqual((yield* Fiber.join(landing)).hash, next.hash)
        bids.push(Number(next.intent.feeStroops))
        // The next call is simulated on a later ledger.
        yield* closeLedger
      }
      assert.lengthOf(bids, 3)
      // Two calls, each with its resource fee; then three operations.
      assert.isTrue(bids.every((fee) => fee >= 1000), bids.join(", "))
      assert.strictEqual(bids[2], 3 * 1000)
    }).pipe(Effect.ensuring(calm)))
})

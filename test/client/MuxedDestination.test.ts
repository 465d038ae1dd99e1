import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Expected, verify } from "../../src/verify/Verifier.ts"
import { Pair } from "../close/support/Accounts.ts"
import { lumensOf } from "../close/support/LedgerView.ts"
import { muxedOf } from "../close/support/Muxed.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"

describe("the close into a muxed address by the client", () => {
  it.live("ends where it was sent, id and all, and the verifier admits no other id", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("50"))
        const muxed = muxedOf(destination.publicKey(), 7n)
        const held: Array<readonly [Expected, string]> = []
        const options = {
          ...optionsFor(service, source, muxed),
          witness: service.ledger,
          verify: (expected: Expected, envelope: string) => {
            held.push([expected, envelope])
            return verify(expected, envelope)
          }
        }
        const before = yield* lumensOf(destination)
        const { receipt } = yield* closed(options)
        assert.strictEqual((yield* lumensOf(destination)) - before, 49_9999900n)
        assert.deepInclude(receipt.closed, { mergedInto: muxed, paidTo: muxed, receivedLumens: "49.9999900" })
        assert.deepStrictEqual(receipt.transactions.map(({ outcome }) => outcome?.arrived), [[{ asset: "native", amount: "49.9999900" }]])
        const [expected, envelope] = held[0] ?? assert.fail("nothing was verified")
        assert.isTrue(verify(expected, envelope).ok)
        for (const other of [destination.publicKey(), muxedOf(destination.publicKey(), 6n), muxedOf(source.publicKey(), 7n)]) {
          const verdict = verify({ ...expected, destination: other }, envelope)
          assert.isFalse(verdict.ok, other)
        }
        const asMediated = verify({ ...expected, mediator: { address: service.mediator, memoType: "none" } }, envelope)
        assert.deepInclude(asMediated, { ok: false })
        // A second call returns the same end.
        assert.strictEqual((yield* closed(options)).receipt.closed.hash, receipt.closed.hash)
      })
    ), 120_000)
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { layer } from "../support/Layered.ts"
import { acknowledges } from "./support/Answering.ts"
import { offered } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

for (const [seconds, ledgers] of [[1, 450], [3, 150], [5, 90], [20, 75]] as const) {
  layer(Service.layer(), { excludeTestServices: true })(`a network that closes a ledger every ${seconds} seconds`, (it) => {
    it.effect(`has transactions usable for ${ledgers} ledgers, and for 450 before that was measured`, () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        const { destination, source } = yield* on(FundedPair)
        const request = {
          source: source.publicKey(),
          destination: destination.publicKey(),
          decisions: [acknowledges(destination.publicKey())]
        }
        /** The first ledger, counted from the newest, that is too late for the offered transaction. */
        const bound = Effect.gen(function*() {
          const { validUntilLedger } = yield* offered(request)
          return validUntilLedger - (yield* sandbox.snapshot).state.header.ledgerSeq
        })
        assert.strictEqual(yield* bound, 450)
        for (let count = 0; count < 19; count++) yield* sandbox.closeLedger({ advanceSeconds: seconds })
        assert.strictEqual(yield* bound, 450)
        yield* sandbox.closeLedger({ advanceSeconds: seconds })
        assert.strictEqual(yield* bound, ledgers)
      }))
  })
}

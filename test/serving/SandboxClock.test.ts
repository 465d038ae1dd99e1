import { assert, it } from "@effect/vitest"
import { Account, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Clock, Effect } from "effect"
import { Serving } from "../../src/serving/Serving.ts"
import { startTestService } from "../support/TestService.ts"

interface Submitted {
  readonly status: string
}

it.scopedLive(
  "the sandbox with all protocols ends its start at the clock's time: a transaction that is bounded by that clock is taken",
  () =>
    Effect.gen(function*() {
      const serving = Serving.layerWith({ closeEvery: null, protocols: true, accounts: true })
      const { call, on, passphrase, prepared, sandbox } = yield* startTestService({}, serving)
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const { history, state } = yield* sandbox.snapshot
      assert.isAtMost(Math.abs(Number(state.header.closeTime) - now), 5)
      assert.isAtLeast(Number(state.header.closeTime) - Number(history.oldest.closeTime), 7_200)
      const [, plain] = prepared
      assert(plain !== undefined)
      const { body: read } = yield* call<{ readonly sequence: string }>("GET", `/testnet/account/${plain.source.publicKey()}`)
      const transaction = new TransactionBuilder(new Account(plain.source.publicKey(), read.sequence), {
        fee: "100",
        networkPassphrase: passphrase
      })
        .addOperation(Operation.manageData({ name: "mine", value: "own" }))
        .setTimebounds(0, now + 300)
        .build()
      transaction.sign(plain.source)
      const { body, status } = yield* call<Submitted>("POST", "/v1/testnet/submit", { signedXdr: transaction.toXdr() })
      assert.deepStrictEqual([status, body.status], [200, "success"], JSON.stringify(body))
      const closed = yield* on(sandbox.closeLedger())
      assert.isAtMost(Math.abs(Number(closed.closeTime) - Math.floor((yield* Clock.currentTimeMillis) / 1000)), 1)
    }),
  60_000
)

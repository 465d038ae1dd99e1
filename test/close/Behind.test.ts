import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, submit } from "./support/Client.ts"
import { accountOf } from "./support/LedgerView.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

layer(Service.layer(), { excludeTestServices: true })("behind fifty milliseconds for every question", (it) => {
  it.effect("a close through the mediator is co-signed and submitted, and a second submit is told the same", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { source } = yield* on(Pair())
      yield* sandbox.faults.set({ fault: new Latency({ millis: 50 }) })
      const transaction = yield* offered({ source: source.publicKey(), destination: (yield* exchanges).payments, memo: "customer 42" })
      const mediated = yield* coSign(transaction.xdr)
      const envelope = yield* signed({ ...transaction, xdr: mediated }, source)
      const sent = yield* submit(envelope)
      assert.deepInclude(sent, { status: "success", hash: transaction.hash })
      assert.deepStrictEqual(yield* submit(envelope), sent)
      assert.isNull(yield* accountOf(source))
      yield* sandbox.faults.clear()
    }))
})

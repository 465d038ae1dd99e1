import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Serving } from "../../src/serving/Serving.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { withoutLedgerApi } from "../close/support/RpcOnlyServing.ts"
import { Service } from "../close/support/Service.ts"
import { UnlistedEntries } from "../close/support/UnlistedEntries.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { run } from "./support/Served.ts"

const rpcOnly = Layer.scoped(
  Service,
  startTestService({}, withoutLedgerApi(Serving.layerWith({ closeEvery: "1 second", protocols: false, accounts: false, mediator: false })))
)

layer(rpcOnly, { excludeTestServices: true })("the command line on a network without a ledger API", (it) => {
  it.effect("closes an account whose entries only --entry names", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, issuer, source } = yield* on(UnlistedEntries)
      const owner = source.publicKey()
      const [line, data] = [`trustline:${owner}:USD-${issuer.publicKey()}`, `data_entry:${owner}:a:b`]
      const answers = ["--decide", "claims_unread=i_accept_unread_claims", "--decide", `issuer:${owner}=i_accept_abandoning_issued_assets`]
      const close = ["close", "--yes", "--json", "--secret-fd", "3", ...answers, "--to", destination.publicKey()]
      const third = source.secret()
      const wrong = yield* run([...close, "--entry", "USD", owner], { third })
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stdout, "trustline:G...:CODE-ISSUER")
      const ended = yield* run([...close, "--entry", line, "--entry", data, owner], { third })
      assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
      assert.isNull(yield* accountOf(source))
    }), 120_000)
})

import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesServiceAt } from "../close/support/Sources.ts"
import { layer } from "../support/Layered.ts"
import { hasTerminal, inTerminal } from "./support/Terminal.ts"

layer(sourcesServiceAt(2, {}, ["lend_1"], Layer.empty), { excludeTestServices: true })(
  "a merge that only one of two contract RPCs bears out",
  (it) => {
    it.effect.skipIf(!hasTerminal)("is said to rest on it before the owner types the destination", () =>
      Effect.gen(function*() {
        const { key, on, passphrase, sandbox, url } = yield* Service
        const [, silent] = yield* Sources
        const { destination, source } = yield* on(LendingNewcomer)
        yield* sandbox.closeLedger()
        yield* silent!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLedgerEntries" })
        const args = ["close", "--to", destination.publicKey(), source.publicKey()]
        const env = { CLOSEOUT_URL: url, CLOSEOUT_API_KEY: key, CLOSEOUT_PASSPHRASE: passphrase, CLOSEOUT_SECRET: source.secret() }
        const { code, screen } = yield* inTerminal(args, env, [
          [/Question 1[^]*Your choice/, "\r"],
          [/Sign and submit/, "y"],
          [/Note: No second[^]*The last transaction[^]*Note: No second[^]*The last four characters/, "AAAA\r"]
        ])
        assert.strictEqual(code, 130, screen)
        assert.isNotNull(yield* accountOf(source))
      }), 60_000)
  }
)

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { depositInto, Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { served } from "./support/Served.ts"
import { hasTerminal, inTerminal } from "./support/Terminal.ts"

if (!hasTerminal) console.log("skipped: no terminal (script of util-linux)")

const enter = "\r"

layer(served, { excludeTestServices: true })("the questions of the command line", (it) => {
  it.effect.skipIf(!hasTerminal)(
    "are answered in a terminal: a choice, a floor of the owner's own, and the last four characters of the destination",
    () =>
      Effect.gen(function*() {
        const { key, on, passphrase, url } = yield* Service
        const { destination, source } = yield* on(Pair("200"))
        const { asset, issuer } = yield* on(Issued("BAD", [source, "1000"]))
        yield* on(depositInto(issuer, asset, "20", "20"))
        const args = ["close", "--to", destination.publicKey(), source.publicKey()]
        const env = { CLOSEOUT_URL: url, CLOSEOUT_API_KEY: key, CLOSEOUT_PASSPHRASE: passphrase, CLOSEOUT_SECRET: source.secret() }
        const close = (lastFour: string) =>
          inTerminal(args, env, [
            [/Question 1[^]*Your choice/, enter],
            [/Question 2[^]*Your choice/, enter],
            [/least lumens that the sale must bring/, `15${enter}`],
            [/Sign and submit/, "y"],
            [/The last four characters/, `${lastFour}${enter}`]
          ])
        const declined = yield* close("AAAA")
        assert.strictEqual(declined.code, 130, declined.screen)
        assert.isNotNull(yield* accountOf(source))
        const closed = yield* close(destination.publicKey().slice(-4).toLowerCase())
        assert.strictEqual(closed.code, 0, closed.screen)
        assert.isNull(yield* accountOf(source))
        assert.match(closed.screen, /The account is closed/)
        assert.match(closed.screen, /least lumens that the sale must bring[^]*15/)
        assert.notInclude(closed.screen, source.secret())
      }),
    120_000
  )
})

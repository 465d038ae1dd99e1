import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { depositInto, Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"

describe("a share so small that its pool pays nothing of one asset", () => {
  it.live("is withdrawn, and the close goes on", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("200"))
        const { asset, issuer } = yield* service.on(Issued("USD", [source, "0.0000001"]))
        yield* service.on(depositInto(issuer, asset, "50", "0.0000010"))
        yield* service.on(depositInto(source, asset, "4.9", "0.0000001"))
        const { receipt } = yield* closed(optionsFor(service, source, destination.publicKey()))
        assert.strictEqual(yield* accountOf(source), null)
        // Of 200 lumens only fees and the pool's rounding are lost.
        assert.closeTo(Number(receipt.closed.receivedLumens), 200, 0.1)
      })
    ), 60_000)
})

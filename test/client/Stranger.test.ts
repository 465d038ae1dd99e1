import { assert, describe, it } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { showAmount } from "../../src/domain/Amount.ts"
import { sandboxContractsFile as contracts } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf, lumensOf } from "../close/support/LedgerView.ts"
import { exchanges, lumensAt } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import type { TestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { close } from "./Stranger.ts"
import { served } from "./support/Closes.ts"

/** The settings that the program gets, as `npm start` prints them. */
const told = ({ key, passphrase, url }: TestService, source: Keypair, destination: string) => ({
  URL: url,
  KEY: key,
  PASSPHRASE: passphrase,
  SOURCE: source.publicKey(),
  SECRET: source.secret(),
  DESTINATION: destination
})

describe("a stranger's program", () => {
  it("has at most 25 lines", () => {
    const lines = readFileSync(new URL("Stranger.ts", import.meta.url), "utf8").split("\n").filter((line) => line.trim() !== "")
    assert.isAtMost(lines.length, 25)
  })

  it.live.runIf(isThorough)("closes the richest account", () =>
    served(
      true,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = service.prepared.at(-1) ?? assert.fail("no account is prepared")
        const before = yield* lumensOf(destination)
        const received = yield* Effect.promise(() => close(told(service, source, destination.publicKey()), contracts, () => undefined))
        assert.strictEqual(yield* accountOf(source), null)
        assert.strictEqual(showAmount((yield* lumensOf(destination)) - before), received)
      })
    ), 600_000)

  it.live("closes into an exchange by mediator", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { source } = yield* service.on(Pair("37.5"))
        const { payments } = yield* exchanges
        const before = yield* lumensAt(payments)
        const received = yield* Effect.promise(() =>
          close({ ...told(service, source, payments), MEDIATOR: service.mediator }, contracts, () => undefined)
        )
        assert.strictEqual(received, "37.4999800")
        assert.strictEqual(showAmount((yield* lumensAt(payments)) - before), received)
      })
    ), 120_000)
})

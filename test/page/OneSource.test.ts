import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesServiceAt } from "../close/support/Sources.ts"
import { browserPage, chromium } from "../support/Browser.ts"
import { layer } from "../support/Layered.ts"
import { looked } from "../support/PageViews.ts"
import { answered, confirmed, opened, planShown, textOf, xBullOf } from "./support/Visit.ts"

describe.skipIf(chromium === null)("the page /close", () => {
  layer(sourcesServiceAt(2, {}, ["lend_1"], Layer.empty), { excludeTestServices: true })("over two contract RPCs", (it) => {
    it.scoped("says before the signature that a merge rests on one of them, where the other one is silent", () =>
      Effect.gen(function*() {
        const { on, sandbox, url } = yield* Service
        const [, silent] = yield* Sources
        const { destination, source } = yield* on(LendingNewcomer)
        yield* sandbox.closeLedger()
        yield* silent!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLedgerEntries" })
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await opened(page, `${url}/close`, xBullOf(source.publicKey()))
          await planShown(page, source, destination.publicKey())
          await answered(page)
          await confirmed(page, destination.publicKey())
          await page.until("window.asked !== null")
          assert.include(await textOf(page, "#progress"), "No second contract RPC responded.")
          await looked(page, "close-11-one-source")
        })
        assert.isNotNull(yield* accountOf(source))
      }), 120_000)
  })
})

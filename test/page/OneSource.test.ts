import { assert, describe } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesServiceAt } from "../close/support/Sources.ts"
import { browserPage, chromium } from "../support/Browser.ts"
import { layer } from "../support/Layered.ts"
import { looked } from "../support/PageViews.ts"
import { answered, confirmed, opened, planShown, pressed, says, shows, signs, textOf, xBullOf } from "./support/Visit.ts"

/** An account without positions on a network whose second contract RPC gives no entries any more. */
const newcomer = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const [, silent] = yield* Sources
  const made = yield* on(LendingNewcomer)
  yield* sandbox.closeLedger()
  yield* silent!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLedgerEntries" })
  return made
})

const copying = "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } });"

describe.skipIf(chromium === null)("the page /close", () => {
  layer(sourcesServiceAt(2, {}, ["lend_1"], Layer.empty), { excludeTestServices: true })("over two contract RPCs", (it) => {
    it.scoped("says before the signature that a merge rests on one of them, where the other one is silent", () =>
      Effect.gen(function*() {
        const { url } = yield* Service
        const { destination, source } = yield* newcomer
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

    it.scoped("says the same to a co-signer, in words of its own, and takes no others", () =>
      Effect.gen(function*() {
        const { on, url } = yield* Service
        const { destination, source } = yield* newcomer
        const second = Keypair.random()
        yield* on(perform("a second signer", {
          as: source,
          operations: [Operation.setOptions({
            lowThreshold: 2,
            medThreshold: 2,
            highThreshold: 2,
            signer: { ed25519PublicKey: second.publicKey(), weight: 1 }
          })]
        }))
        const [page, other] = [yield* browserPage, yield* browserPage]
        yield* Effect.promise(async () => {
          await opened(page, `${url}/close`, copying + xBullOf(source.publicKey()))
          await planShown(page, source, destination.publicKey())
          await answered(page)
          await confirmed(page, destination.publicKey())
          await signs(page, source)
          await pressed(page, "Copy the link for a co-signer")
          await page.until("window.copied !== undefined")
          const link = String(await page.evaluate("copied"))
          await opened(other, link)
          await shows(other, "#bundle")
          assert.include(await textOf(other, "#bundle"), "The maker of the bundle warns: Only one contract RPC returned the positions")
          await looked(other, "close-12-one-source-co-signer")
          const [address = "", carried = ""] = link.split("#bundle=")
          const bundle = JSON.parse(Buffer.from(carried, "base64url").toString()) as object
          const hostile = JSON.stringify({ ...bundle, warnings: ["<img src=x onerror=alert(1)>"] })
          await opened(other, `${address}#bundle=${Buffer.from(hostile).toString("base64url")}`)
          await says(other, "#paste-problem", /cannot be used/)
          assert.strictEqual(await other.evaluate("document.querySelectorAll('#main img').length"), 0)
        })
        assert.isNotNull(yield* accountOf(source))
      }), 120_000)
  })
})

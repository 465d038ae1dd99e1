import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { browserPage, chromium } from "../support/Browser.ts"
import { layer } from "../support/Layered.ts"
import { looked } from "../support/PageViews.ts"
import { pairShares, pairsOnly } from "../support/PairShares.ts"
import { isThorough } from "../support/Thorough.ts"
import { answered, confirmed, opened, planShown, signs, textOf, xBullOf } from "./support/Visit.ts"

describe.skipIf(chromium === null)("the page /close for an account with a position", () => {
  layer(Service.layer({}, pairsOnly), { excludeTestServices: true, timeout: "200 seconds" })("in pairs", (it) => {
    it.scoped.runIf(isThorough)("verifies and signs the call that leaves it, and closes", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* pairShares(service)
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await opened(page, `${service.url}/close`, xBullOf(source.publicKey()))
          await planShown(page, source, destination.publicKey())
          assert.match(await textOf(page, "#plan"), /Soroswap/)
          await looked(page, "close-10-position")
          await answered(page)
          await confirmed(page, destination.publicKey())
          let signatures = 0
          const closing = async () => await page.evaluate("document.getElementById('receipt') !== null || window.asked !== null")
          while (await page.evaluate("document.getElementById('receipt') === null")) {
            await page.until(
              "document.getElementById('receipt') !== null || window.asked !== null || document.querySelector('#confirm-problem')?.textContent"
            )
            if (!(await closing())) assert.fail(await textOf(page, "#confirm-problem"))
            if (await page.evaluate("window.asked !== null")) {
              await signs(page, source)
              signatures++
            }
          }
          assert.isAbove(signatures, 1)
          assert.match(await textOf(page, "#progress"), /withdraw|remove_liquidity|leaves/i)
        })
        assert.isNull(yield* accountOf(source))
      }))
  })
})

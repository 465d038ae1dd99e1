import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type BrowserPage, browserPage, chromium } from "../support/Browser.ts"
import { fits, looked } from "../support/PageViews.ts"
import { startTestService, withAccounts } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"

if (chromium === null) console.log("skipped: no Chromium")

const navigate = async (page: BrowserPage, address: string) => {
  await page.send("Page.navigate", { url: address })
  await page.until(`document.readyState === 'complete' && location.href === ${JSON.stringify(address)}`)
}

/** Fills in a field of the page. */
const fill = (page: BrowserPage, id: string, value: string) =>
  page.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(value)}`)

/** The form of an operation, in an expression on the page. */
const form = (operation: string) =>
  `document.getElementById("route-${operation}").parentElement.querySelector("form[data-id=${operation}]")`

const sent = async (page: BrowserPage, operation: string) => {
  await page.evaluate(`${form(operation)}.parentElement.open = true, ${form(operation)}.requestSubmit()`)
  await page.until(`!${form(operation)}.querySelector("button").disabled`)
}

const textOf = (page: BrowserPage, operation: string, selector: string) =>
  page.evaluate(`${form(operation)}.querySelector(${JSON.stringify(selector)}).textContent`).then(String)

describe.skipIf(chromium === null)(`the documentation pages in a browser${chromium === null ? " (skipped: no Chromium)" : ""}`, () => {
  it.scopedLive.runIf(isThorough)(
    "fit a phone and a desktop, in light and dark, without a fault by axe, and load nothing from another host",
    () =>
      Effect.gen(function*() {
        const { url } = yield* startTestService()
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await navigate(page, `${url}/docs`)
          await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
          await fits(page, "docs, all of it")
          // All routes and objects have one form, and axe takes long for all of them.
          await page.evaluate("for (const one of document.querySelectorAll('#objects ~ details:not(:nth-of-type(30n))')) one.remove()")
          await page.evaluate(
            "for (const one of document.querySelectorAll('section:has([id^=route-]):not(:has(#route-planClose))')) one.remove()"
          )
          await looked(page, "docs")
          await navigate(page, `${url}/docs/errors.md`)
          await looked(page, "errors")
          assert.isTrue(page.asked.every((address) => address.startsWith(url)), page.asked.join(" "))
          assert.deepStrictEqual(page.complaints.filter((text) => !/favicon|"level":"verbose"/.test(text)), [])
        })
      }),
    120_000
  )

  it.scopedLive("call the service with the enabled network preselected, and never with a secret seed", () =>
    Effect.gen(function*() {
      const { key, prepared: [pair], url } = yield* startTestService({}, withAccounts)
      const source = pair?.source ?? assert.fail("no account is prepared")
      const page = yield* browserPage
      yield* Effect.promise(async () => {
        await navigate(page, `${url}/docs`)
        const networks =
          "new Set([...document.querySelectorAll('select[name=network]')].flatMap((one) => [one.value, ...[...one.options].map(({ value }) => value)]))"
        assert.deepStrictEqual(await page.evaluate(`[...${networks}]`), ["testnet"])

        await fill(page, "getAccount-address", source.publicKey())
        await sent(page, "getAccount")
        assert.match(await textOf(page, "getAccount", "[role=status]"), /^GET \/testnet\/account\/G\w+: status 401$/)
        await fill(page, "token", key)
        await sent(page, "getAccount")
        assert.match(await textOf(page, "getAccount", "[role=status]"), /status 200$/)
        assert.strictEqual(JSON.parse(await textOf(page, "getAccount", "pre")).address, source.publicKey())

        await fill(page, "planClose-body", JSON.stringify({ source: source.publicKey() }))
        await sent(page, "planClose")
        assert.match(JSON.parse(await textOf(page, "planClose", "pre")).planHash, /^[0-9a-f]{64}$/)

        const before = page.asked.length
        await fill(page, "planClose-body", JSON.stringify({ source: source.secret() }))
        await sent(page, "planClose")
        assert.match(await textOf(page, "planClose", ".problem"), /secret seed/)
        await fill(page, "planClose-body", "{")
        await sent(page, "planClose")
        assert.match(await textOf(page, "planClose", ".problem"), /not JSON/)
        assert.lengthOf(page.asked, before)
      })
    }), 60_000)
})

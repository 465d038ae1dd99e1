import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { type BrowserPage, browserPage, chromium } from "../support/Browser.ts"
import { retype, tabTo } from "../support/Keyboard.ts"
import { looked } from "../support/PageViews.ts"
import { startTestService, type TestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { bearer, signedBy } from "./support/Proving.ts"

if (chromium === null) console.log("skipped: no Chromium")

const textOf = (page: BrowserPage, selector: string) => page.evaluate(`document.querySelector('${selector}').textContent`).then(String)

const valueOf = (page: BrowserPage, id: string) => page.evaluate(`document.getElementById('${id}').value`).then(String)

const shows = (page: BrowserPage, id: string) => page.until(`!document.getElementById('${id}').hidden`)

const counts = (page: BrowserPage, keys: number) => page.until(`document.querySelectorAll('#list li').length === ${keys}`)

/** An error message below its field, which the page marks as invalid. */
const besideField = async (page: BrowserPage, id: string, words: RegExp) => {
  await page.until(`${String(words)}.test(document.getElementById('${id}-problem').textContent)`)
  const under =
    `document.getElementById('${id}').getBoundingClientRect().bottom <= document.getElementById('${id}-problem').getBoundingClientRect().top`
  assert.strictEqual(await page.evaluate(under), true)
  assert.strictEqual(await page.evaluate(`document.getElementById('${id}').getAttribute('aria-invalid')`), "true")
  assert.include(await page.evaluate(`document.getElementById('${id}').getAttribute('aria-describedby')`), `${id}-problem`)
  assert.strictEqual(await page.evaluate("document.activeElement.id"), id)
}

/** The page of a service before the first input. */
const opened = async (page: BrowserPage, url: string) => {
  await page.send("Page.navigate", { url: `${url}/keys` })
  await page.until("document.readyState === 'complete' && document.getElementById('ask') !== null")
}

/** Goes from the first step to the list of keys. */
const signedIn = async (page: BrowserPage, { passphrase }: TestService, somebody: Keypair) => {
  await tabTo(page, "#address")
  await retype(page, somebody.publicKey())
  await page.press("Enter")
  await shows(page, "signing")
  await looked(page, "keys-2-sign")
  const challenge = { transaction: await valueOf(page, "challenge"), networkPassphrase: passphrase, expiresAt: "" }
  await tabTo(page, "#signed")
  await page.type(signedBy(challenge, somebody))
  await tabTo(page, "#open button.act")
  await page.press("Enter")
  await shows(page, "mine")
}

const stateOf = ({ call }: TestService, key: string) =>
  Effect.map(call("GET", "/testnet/paths", undefined, bearer(key)), ({ status }) => status)

const started = Effect.gen(function*() {
  const service = yield* startTestService()
  const somebody = Keypair.random()
  yield* service.on(fund("100", somebody))
  const page = yield* browserPage
  yield* Effect.promise(() => opened(page, service.url))
  return { service, somebody, page }
})

/** A time as the browser writes it, with its zone. */
const zoned = /\d{4}.*\d:\d\d:\d\d.*(UTC|GMT)/

describe.skipIf(chromium === null)(`the self-service page in a browser${chromium === null ? " (skipped: no Chromium)" : ""}`, () => {
  it.scopedLive("gives, rotates and revokes keys, by keyboard only, wide and narrow, light and dark", () =>
    Effect.gen(function*() {
      const { page, service, somebody } = yield* started
      yield* Effect.promise(async () => {
        await looked(page, "keys-1-account")
        await tabTo(page, "#address")
        await page.type("GNOTHING")
        await page.press("Enter")
        await besideField(page, "address", /address/i)
        await looked(page, "keys-1-problem")
        await retype(page, somebody.secret())
        await page.press("Enter")
        await besideField(page, "address", /secret seed/)
        assert.isFalse(page.asked.some((url) => url.includes(somebody.secret())))

        await signedIn(page, service, somebody)
        assert.strictEqual(await page.evaluate("[...document.querySelectorAll('.problem')].map((one) => one.textContent).join('')"), "")
        assert.match(await textOf(page, "#ends"), zoned)
        await tabTo(page, "#label")
        await page.type("billing server")
        await tabTo(page, "#create")
        await page.press(" ")
        await shows(page, "fresh")
        await counts(page, 1)
        await looked(page, "keys-3-keys")
      })
      const first = yield* Effect.promise(() => valueOf(page, "key"))
      assert.match(first, /^lk_/)
      assert.strictEqual(yield* stateOf(service, first), 400)

      yield* Effect.promise(async () => {
        const row = await textOf(page, "#list li")
        assert.include(row, "billing server")
        assert.include(row, `lk_...${first.slice(-4)}`)
        assert.include(row, "Last usednever")
        await tabTo(page, "#refresh")
        await page.press("Enter")
        await page.until("!/Last usednever/.test(document.querySelector('#list li').textContent)")
        assert.match(await textOf(page, "#list li"), zoned)
        await tabTo(page, "#hide-key")
        await page.press("Enter")
        assert.strictEqual(await valueOf(page, "key"), "")

        await tabTo(page, "#list li button")
        await page.press("Enter")
        await counts(page, 2)
        assert.match(page.questions.at(-1) ?? "", /billing server.*ends at once/)
      })
      const second = yield* Effect.promise(() => valueOf(page, "key"))
      assert.notStrictEqual(second, first)
      assert.deepStrictEqual([yield* stateOf(service, first), yield* stateOf(service, second)], [401, 400])

      yield* Effect.promise(async () => {
        await tabTo(page, "#hide-key")
        await page.press("Enter")
        await page.evaluate("document.getElementById('grace').value = '3600'")
        await tabTo(page, "#list li button")
        await page.press("Enter")
        await counts(page, 3)
        assert.match(await textOf(page, "#list"), /rotated, works until/)
        await looked(page, "keys-4-rotated")
        await tabTo(page, "#hide-key")
        await page.press("Enter")
      })
      assert.strictEqual(yield* stateOf(service, second), 400)
      yield* Effect.promise(async () => {
        for (const left of [1, 0]) {
          await tabTo(page, "#list li button.end")
          await page.press("Enter")
          await page.until(`document.querySelectorAll('#list button.end').length === ${left}`)
        }
        await looked(page, "keys-5-revoked")
      })
      assert.strictEqual(yield* stateOf(service, second), 401)
      assert.isTrue(page.asked.every((url) => url.startsWith(service.url)), page.asked.join(" "))
      const complaints = page.complaints.filter((text) => !/favicon|40[01]/.test(text))
      assert.deepStrictEqual(complaints, [])
    }))

  it.scopedLive.runIf(isThorough)(
    "replaces a key that is not saved only after a question, and tells a proxy's page in words, beside what was asked for",
    () =>
      Effect.gen(function*() {
        const { page, service, somebody } = yield* started
        yield* Effect.promise(async () => {
          await signedIn(page, service, somebody)
          const create = async () => {
            await tabTo(page, "#create")
            await page.press("Enter")
          }
          await create()
          await counts(page, 1)
          assert.deepStrictEqual(page.questions, [])
          const first = await valueOf(page, "key")

          page.answerWith(false)
          await create()
          await page.until("document.getElementById('status').textContent === '' && !document.getElementById('create').disabled")
          assert.match(page.questions.at(-1) ?? "", /cannot be shown again/)
          assert.deepStrictEqual([page.questions.length, await valueOf(page, "key")], [1, first])
          await tabTo(page, "#refresh")
          await page.press("Enter")
          await counts(page, 1)

          page.answerWith(true)
          await create()
          await counts(page, 2)
          assert.notStrictEqual(await valueOf(page, "key"), first)
          await tabTo(page, "#hide-key")
          await page.press("Enter")

          await tabTo(page, "#label")
          await page.type("lk_" + "A".repeat(43))
          await create()
          await besideField(page, "label", /no API key/)
          await looked(page, "keys-6-label-problem")
          await tabTo(page, "#label")
          await retype(page, "")

          const gone = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
          const meanwhile = { responseCode: 502, responseHeaders: [{ name: "content-type", value: "text/html" }], body: btoa(gone) }
          page.answerRequests("POST", meanwhile)
          await page.send("Fetch.enable", { patterns: [{ urlPattern: "*/keys/mine" }] })
          await create()
          await page.until("document.getElementById('make-problem').textContent !== ''")
          const told = await textOf(page, "#make-problem")
          assert.match(told, /^The service cannot be reached now \(status 502\)\. .*it is in the list: revoke it\.$/)
          await looked(page, "keys-7-proxy")
          await counts(page, 2)
        })
      })
  )
})

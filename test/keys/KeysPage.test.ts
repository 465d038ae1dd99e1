import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { startTestService } from "../support/TestService.ts"
import { type BrowserPage, browserPage, chromium } from "./support/Browser.ts"
import { bearer, signedBy } from "./support/Proving.ts"

if (chromium === null) console.log("skipped: no Chromium")

const pictures = process.env["PICTURES"] ?? null

const views = {
  phone: { width: 360, height: 740, deviceScaleFactor: 2, mobile: true },
  desktop: { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false }
} as const

/** What does not fit the width, and what is written in too weak a contrast. */
const faults = `(() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if (colour !== "rgba(0, 0, 0, 0)") return colour
    }
    return "rgb(255, 255, 255)"
  }
  const found = []
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window")
  for (const element of document.querySelectorAll("h1,h2,p,label,button,dt,dd,input,select,textarea,code,a")) {
    if (element.offsetParent === null) continue
    const [one, other] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a)
    if (!element.disabled && (one + 0.05) / (other + 0.05) < 4.5) found.push("weak: " + element.outerHTML.slice(0, 80))
    if (element.tagName === "BUTTON" && element.getBoundingClientRect().height < 44) found.push("small: " + element.outerHTML.slice(0, 80))
  }
  return found
})()`

const looked = async (page: BrowserPage, name: string) => {
  for (const [view, metrics] of Object.entries(views)) {
    for (const scheme of ["light", "dark"]) {
      await page.send("Emulation.setDeviceMetricsOverride", metrics)
      await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] })
      assert.deepStrictEqual(await page.evaluate(faults), [], `${name}, ${view}, ${scheme}`)
      if (pictures === null) continue
      const { data } = await page.send("Page.captureScreenshot", { captureBeyondViewport: true })
      mkdirSync(pictures, { recursive: true })
      writeFileSync(join(pictures, `keys-${name}-${view}-${scheme}.png`), Buffer.from(String(data), "base64"))
    }
  }
}

/** Goes on with Tab until what has the focus is meant. A page that traps the keyboard fails. */
const tabTo = async (page: BrowserPage, selector: string) => {
  for (let count = 0; count < 40; count++) {
    if (await page.evaluate(`document.activeElement !== null && document.activeElement.matches(${JSON.stringify(selector)})`) === true) {
      return
    }
    await page.press("Tab")
  }
  assert.fail(`the keyboard does not get to ${selector}`)
}

describe.skipIf(chromium === null)(`the self-service page in a browser${chromium === null ? " (skipped: no Chromium)" : ""}`, () => {
  it.scopedLive("gives, rotates and revokes keys, by keyboard only, wide and narrow, light and dark", () =>
    Effect.gen(function*() {
      const service = yield* startTestService()
      const somebody = Keypair.random()
      yield* service.on(fund("100", somebody))
      const page = yield* browserPage
      const shows = (id: string) => page.until(`!document.getElementById(${JSON.stringify(id)}).hidden`)
      const valueOf = (id: string) => page.evaluate(`document.getElementById(${JSON.stringify(id)}).value`).then(String)
      const stateOf = (key: string) => Effect.map(service.call("GET", "/testnet/paths", undefined, bearer(key)), ({ status }) => status)
      const problem = () => page.evaluate("document.getElementById('problem').textContent").then(String)

      yield* Effect.promise(async () => {
        await page.send("Page.navigate", { url: `${service.url}/keys` })
        await page.until("document.readyState === 'complete' && document.getElementById('ask') !== null")
        await looked(page, "1-account")

        await tabTo(page, "#address")
        await page.type("GNOTHING")
        await page.press("Enter")
        await page.until("document.getElementById('problem').textContent !== ''")
        assert.match(await problem(), /address/i)
        await page.evaluate("document.getElementById('address').value = ''")
        await page.type(somebody.secret())
        await page.press("Enter")
        await page.until("/secret seed/.test(document.getElementById('problem').textContent)")
        assert.isFalse(page.asked.some((url) => url.includes(somebody.secret())))

        await page.evaluate("document.getElementById('address').value = ''")
        await page.type(somebody.publicKey())
        await page.press("Enter")
        await shows("signing")
        assert.strictEqual(await problem(), "")
        await looked(page, "2-sign")
        const challenge = { transaction: await valueOf("challenge"), networkPassphrase: service.passphrase, expiresAt: "" }
        await tabTo(page, "#signed")
        await page.type(signedBy(challenge, somebody))
        await tabTo(page, "#open button.act")
        await page.press("Enter")
        await shows("mine")
        await tabTo(page, "#create")
        await page.press(" ")
        await shows("fresh")
        await page.until("document.querySelectorAll('#list li').length === 1")
        await looked(page, "3-keys")
      })
      const first = yield* Effect.promise(() => valueOf("key"))
      assert.match(first, /^lk_/)
      assert.strictEqual(yield* stateOf(first), 400)

      yield* Effect.promise(async () => {
        await tabTo(page, "#list li button")
        await page.press("Enter")
        await page.until("document.querySelectorAll('#list li').length === 2")
      })
      const second = yield* Effect.promise(() => valueOf("key"))
      assert.notStrictEqual(second, first)
      assert.deepStrictEqual([yield* stateOf(first), yield* stateOf(second)], [401, 400])

      yield* Effect.promise(async () => {
        await tabTo(page, "#hide-key")
        await page.press("Enter")
        assert.strictEqual(await valueOf("key"), "")
        await tabTo(page, "#list li button.end")
        await page.press("Enter")
        await page.until("document.querySelectorAll('#list button').length === 0")
        await looked(page, "4-revoked")
      })
      assert.strictEqual(yield* stateOf(second), 401)
      assert.isTrue(page.asked.every((url) => url.startsWith(service.url)), page.asked.join(" "))
      const complaints = page.complaints.filter((text) => !/favicon|40[01]/.test(text))
      assert.deepStrictEqual(complaints, [])
    }))
})

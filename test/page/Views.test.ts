import { assert, describe } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import examples from "../../src/api/examples.json" with { type: "json" }
import { Service } from "../close/support/Service.ts"
import { browserPage, chromium } from "../support/Browser.ts"
import { layer } from "../support/Layered.ts"
import { looked } from "../support/PageViews.ts"
import { isThorough } from "../support/Thorough.ts"
import { filled, opened, pressed, says, shows, textOf } from "./support/Visit.ts"

const plan = examples.planClose_200
const { allowances } = examples.listAllowances_200

describe.skipIf(chromium === null)("pages that only read, in a browser", () => {
  layer(Service.layer(), { excludeTestServices: true })("over the sandbox", (it) => {
    it.scoped.runIf(isThorough)(
      "/plan-view draws a plan that is pasted or in the link, and sends it nowhere",
      () =>
        Effect.gen(function*() {
          const { url } = yield* Service
          const page = yield* browserPage
          yield* Effect.promise(async () => {
            await opened(page, `${url}/plan-view`)
            await filled(page, "plan-text", "{\"status\":\"ready\"}")
            await pressed(page, "Draw it")
            await says(page, "#plan-text-problem", /no plan/)
            await filled(page, "plan-text", JSON.stringify(plan))
            await pressed(page, "Draw it")
            await shows(page, "#plan")
            assert.include(await textOf(page, "#plan"), plan.planHash)
            await looked(page, "plan-view")

            const hostile = { ...plan, blockers: [{ message: "<img src=x onerror=alert(1)>" }] }
            await opened(page, `${url}/plan-view#plan=${Buffer.from(JSON.stringify(hostile)).toString("base64url")}`)
            await shows(page, "#plan")
            assert.strictEqual(await page.evaluate("location.hash"), "")
            assert.strictEqual(await page.evaluate("document.querySelectorAll('#main img').length"), 0)
            await opened(page, `${url}/plan-view#plan=${"A".repeat(70_000)}`)
            await says(page, "#paste-problem", /too long/)
            const asked = new Set(page.asked.filter((one) => one.startsWith("http")).map((one) => new URL(one).pathname))
            assert.deepStrictEqual(asked, new Set(["/plan-view", "/pages/style.css", "/pages/script.js"]))
            assert.deepStrictEqual(page.complaints, [])
          })
        })
    )

    it.scoped("/allowances-view draws what others may spend, and prepares the requests that revoke them", () =>
      Effect.gen(function*() {
        const { url } = yield* Service
        const page = yield* browserPage
        const owner = Keypair.random().publicKey()
        yield* Effect.promise(async () => {
          await opened(page, `${url}/allowances-view`)
          await filled(page, "allowances-text", JSON.stringify(examples.listAllowances_200))
          await pressed(page, "Show them")
          await shows(page, "#allowances")
          await pressed(page, "Choose all")
          await pressed(page, "Prepare the revocations")
          await says(page, "#owner-problem", /Write the account/)
          await filled(page, "owner", owner)
          await pressed(page, "Prepare the revocations")
          await shows(page, "#requests")
          await looked(page, "allowances-view")
          const text = String(await page.evaluate("document.querySelector('#requests textarea').value"))
          const bodies = [...text.matchAll(/-d '([^']+)'/g)].map(([, body = ""]) => JSON.parse(body) as unknown)
          assert.deepStrictEqual(bodies, allowances.map(({ spender, token }) => ({ owner, token, spender })))
        })
      }))
  })
})

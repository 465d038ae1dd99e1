import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { serviceLog } from "../support/ServiceLog.ts"
import { type ErrorBody, startTestService, withAccounts } from "../support/TestService.ts"

const real = { MAINNET_RPC_URLS: "http://127.0.0.1:1", MAINNET_LEDGER_API_URLS: "http://127.0.0.1:1", API_KEYS: `a=lk_${"a".repeat(43)}` }

describe("PUBLIC_URL", () => {
  it.live("is missed at the start where a real network is served", () =>
    Effect.gen(function*() {
      const { layer, lines } = serviceLog()
      const told = (settings: Readonly<Record<string, string>>) =>
        Effect.gen(function*() {
          const before = lines.length
          yield* Effect.scoped(startTestService({ NETWORK_SANDBOX: "testnet", ...settings }, undefined, layer))
          return lines.slice(before).filter(({ text }) => text.startsWith("PUBLIC_URL")).length
        })
      assert.strictEqual(yield* told(real), 1)
      assert.strictEqual(yield* told({ ...real, PUBLIC_URL: "https://close.example.org" }), 0)
    }))

  it.scoped("is what links to help lie under, in plans, in a batch, line by line, and in refusals; the service shows what they name", () =>
    Effect.gen(function*() {
      const service = yield* startTestService({ PUBLIC_URL: "https://close.example.org/" }, withAccounts)
      const [prepared] = service.prepared
      const source = prepared?.source.publicKey() ?? ""
      const linksIn = (text: string) => [...text.matchAll(/"helpUrl":"([^"]*)"/g)].map(([, link = ""]) => link)
      const texts = yield* Effect.forEach(
        [
          ["close/plan", { source }, {}],
          ["close/batch-plan", { addresses: [source] }, {}],
          ["close/batch-plan", { addresses: [source] }, { accept: "application/x-ndjson" }],
          ["close/batch-plan", { addresses: [Keypair.random().publicKey()] }, {}],
          ["close/plan", { source: Keypair.random().publicKey() }, {}]
        ] as const,
        ([path, body, headers]) =>
          Effect.promise(async () => {
            const response = await fetch(`${service.url}/v1/testnet/${path}`, {
              method: "POST",
              headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json", ...headers },
              body: JSON.stringify(body)
            })
            return response.text()
          })
      )
      const page = yield* Effect.promise(async () => (await fetch(`${service.url}/docs/errors.md`)).text())
      for (const text of texts) {
        const links = linksIn(text)
        assert.isNotEmpty(links)
        for (const link of links) {
          assert.match(link, /^https:\/\/close\.example\.org\/docs\/errors\.md#(warning|blocker|error)-[a-z_]+$/)
          assert.include(page, `id="${link.split("#")[1] ?? ""}"`)
        }
      }
      // Text from a caller is not rewritten like a link of the service.
      const memo = "\"helpUrl\":\"/docs/"
      const echoed = yield* service.call<ErrorBody>("GET", `/testnet/paths?fromAsset=${encodeURIComponent(memo)}&amount=1`)
      assert.include(JSON.stringify(echoed.body.error.details), JSON.stringify(memo).slice(1, -1))
    }))

  it.scopedLive("left out, links are addresses of the sandbox's own service, and paths beside a real network", () =>
    Effect.gen(function*() {
      const linkOf = (settings: Readonly<Record<string, string>>) =>
        Effect.gen(function*() {
          const { call, url } = yield* startTestService(settings)
          const { body, headers } = yield* call<ErrorBody>("GET", "/nowhere")
          assert.strictEqual(body.error.details["requestId"], headers.get("x-request-id"))
          return { url, link: body.error.details["helpUrl"] }
        })
      const alone = yield* linkOf({})
      assert.strictEqual(alone.link, `${alone.url}/docs/errors.md#error-not_found`)
      const page = yield* Effect.promise(async () => (await fetch(String(alone.link))).text())
      assert.include(page, "id=\"error-not_found\"")
      const beside = yield* linkOf({ NETWORK_SANDBOX: "testnet", ...real })
      assert.strictEqual(beside.link, "/docs/errors.md#error-not_found")
    }))
})

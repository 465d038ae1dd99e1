import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { script } from "../../src/http/keys-page/Script.ts"
import { get, send, testHttp } from "../support/TestHttp.ts"

const page = Effect.map(send(get("/keys")), ({ headers, status, text }) => {
  assert.strictEqual(status, 200)
  assert.match(headers["content-type"] ?? "", /^text\/html/)
  return { text, policy: headers["content-security-policy"] ?? "", referrer: headers["referrer-policy"] }
})

describe("the self-service page", () => {
  it.effect("needs no key, loads nothing, and lets the browser run nothing but what stands in it", () =>
    Effect.gen(function*() {
      const { policy, referrer, text } = yield* page
      assert.notMatch(text, /(src|href|action)\s*=\s*["']?(https?:)?\/\//i)
      assert.notMatch(text, /@import|url\(|<iframe|<link|<img|eval\(|innerHTML/i)
      for (const [tag, rule] of [["script", "script-src"], ["style", "style-src"]]) {
        const inside = new RegExp(`<${tag}>([^]*)</${tag}>`).exec(text)?.[1] ?? ""
        assert.include(policy, `${rule} 'sha256-${createHash("sha256").update(inside).digest("base64")}'`)
      }
      assert.include(policy, "default-src 'none'")
      assert.notInclude(policy, "unsafe")
      assert.strictEqual(referrer, "no-referrer")
    }).pipe(Effect.provide(testHttp())))

  it.effect("offers the networks that are served, and labels everything that is filled in", () =>
    Effect.gen(function*() {
      const { text } = yield* page
      assert.deepStrictEqual([...text.matchAll(/<option value="([a-z]+)">/g)].map(([, name]) => name), ["testnet"])
      const fields = [...text.matchAll(/<(?:input|select|textarea)\s+id="([\w-]+)"/g)].map(([, id]) => id)
      assert.isAbove(fields.length, 4)
      for (const field of fields) assert.include(text, `<label for="${field}">`)
      for (const [, id] of script.matchAll(/at\("([\w-]+)"\)/g)) assert.include(text, `id="${id}"`)
    }).pipe(Effect.provide(testHttp())))
})

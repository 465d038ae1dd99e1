import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { sourcesIn } from "../../scripts/sources.ts"

describe("the client in a browser", () => {
  it("is bundled without a module of Node, and has its functions where there is nothing of Node", async () => {
    const { outputFiles: [bundle] } = await build({
      entryPoints: ["src/client/Client.ts"],
      bundle: true,
      platform: "browser",
      format: "iife",
      globalName: "client",
      write: false
    })
    const { AbortController, atob, btoa, clearTimeout, crypto, fetch, Headers, Request, Response, setTimeout, TextDecoder, TextEncoder } =
      globalThis
    const page = createContext({
      AbortController,
      AbortSignal,
      atob,
      btoa,
      clearTimeout,
      clearInterval,
      setInterval,
      crypto,
      fetch,
      Headers,
      Request,
      Response,
      setTimeout,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      performance,
      queueMicrotask,
      console
    })
    runInContext(`var self = globalThis; ${bundle?.text ?? ""}`, page)
    const names = runInContext("Object.keys(client).filter((name) => typeof client[name] === 'function').join()", page)
    for (const name of ["closeAccount", "signWithWallet", "verify", "signBundle"]) assert.include(names, name)
    // Invalid options give the same error in a browser.
    const told = await runInContext(
      "client.closeAccount({ baseUrl: 'http://127.0.0.1:9', network: 'testnet', source: '', destination: '', accept: 'much', sign: () => '' }).promise().catch((failure) => failure._tag)",
      page
    )
    assert.strictEqual(told, "InvalidOption")
  }, 60_000)

  it("imports nothing of Node", () => {
    const files = sourcesIn("src/client").filter(({ imports }) => imports.some((name) => name.startsWith("node:")))
    assert.deepStrictEqual(files, [])
    assert.notMatch(sourcesIn("src/client").map(({ path }) => readFileSync(path, "utf8")).join("\n"), /\bBuffer\.|\bprocess\./)
  })
})

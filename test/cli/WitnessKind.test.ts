import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { witnessUrls } from "../../src/cli/WitnessKind.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { served } from "./support/Served.ts"

/** A server that answers every request with this status. */
const answering = (status: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((_, response) => response.writeHead(status).end("{}"))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

layer(served, { excludeTestServices: true })("a witness of the command line", (it) => {
  it.effect("is told apart by what it answers", () =>
    Effect.gen(function*() {
      const { ledger: { ledgerApiUrl, rpcUrl } } = yield* Service
      assert.deepStrictEqual(yield* witnessUrls([ledgerApiUrl, rpcUrl]), { rpcUrl, ledgerApiUrl })
    }))

  it.scoped("is a failure where it answers as neither: one that is down is not taken for the other kind", () =>
    Effect.gen(function*() {
      const { ledger: { ledgerApiUrl } } = yield* Service
      for (const url of [yield* answering(503), yield* answering(404), yield* answering(200), `${ledgerApiUrl.replace(/\/$/, "")}/wrong`]) {
        const refused = yield* Effect.flip(witnessUrls([url]))
        assert.deepStrictEqual([refused.code, refused.retry], ["witness_unavailable", "after_delay"], url)
        assert.include(refused.message, new URL(url).origin)
      }
      for (const url of [`${yield* answering(503)}/v2/secret-key`, "http://127.0.0.1:1/?key=secret-key"]) {
        assert.notInclude((yield* Effect.flip(witnessUrls([url]))).message, "secret-key")
      }
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { get } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { answers, answersIn, head } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { nginx, nginxBefore } from "./support/Nginx.ts"

/** Two workers of 1,024 connections each, less those that they need themselves: this many blocked the balancer before. */
const attackers = 2_044

/** A folder with a key and a certificate for localhost, made for one test. */
const selfSigned = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "certificate-"))
    const kept = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")]
    const made = spawnSync(
      "openssl",
      "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost".split(" ").concat(kept)
    )
    assert.strictEqual(made.status, 0, String(made.stderr))
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A request to a route without a key, with a body that never ends. */
const dripping = `${head("POST", "/keys/challenge", { "content-type": "application/json", "content-length": "1000" })}{`

describe.skipIf(nginx === null)(`the shipped nginx.conf${nginx === null ? " (skipped: no nginx)" : ""}`, () => {
  const behind = Effect.gen(function*() {
    const service = yield* startTestService({ TRUSTED_PROXY_HOPS: "1" })
    const { port } = yield* nginxBefore(nginx ?? "", new URL(service.url))
    return { port, key: service.key }
  })

  it.scopedLive("serves other clients while one address sends thousands of bodies that never end", () =>
    Effect.gen(function*() {
      const { key, port } = yield* behind
      const held = yield* Effect.forEach(
        Array.from({ length: attackers }),
        () => Effect.tap(rawSocket(port), (socket) => socket.write(dripping)),
        { concurrency: 100 }
      )
      // Every request beyond the limit of an address gets an answer at once, in the service's envelope.
      const refused = answersIn(yield* held.at(-1)?.until(answers(1)) ?? Effect.succeed(""))[0]
      assert.strictEqual(refused?.status, 429)
      assert.deepStrictEqual((JSON.parse(refused?.body ?? "") as ErrorBody).error.code, "rate_limited")
      assert.strictEqual(refused?.headers["retry-after"], "1")
      for (let honest = 0; honest < 50; honest++) {
        const socket = yield* rawSocket(port, `127.0.1.${honest + 1}`)
        yield* socket.write(head("GET", "/v1/testnet/fees", { authorization: `Bearer ${key}` }))
        yield* socket.write(head("GET", "/health", {}))
        const [first, second] = answersIn(yield* socket.until(answers(2)))
        assert.strictEqual(first?.status, 404)
        assert.strictEqual(second?.status, 200)
      }
    }))

  it.scopedLive("speaks TLS where its certificate is mounted, and tells browsers to come by it alone", () =>
    Effect.gen(function*() {
      const folder = yield* selfSigned
      const service = yield* startTestService({ TRUSTED_PROXY_HOPS: "1" })
      const { tlsPort } = yield* nginxBefore(nginx ?? "", new URL(service.url), folder)
      const ca = readFileSync(join(folder, "fullchain.pem"))
      const { headers, statusCode } = yield* Effect.promise(() =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get({ host: "localhost", port: tlsPort, path: "/health", ca, agent: false, family: 4 }, resolve).on("error", reject)
        })
      )
      assert.deepStrictEqual([statusCode, headers["strict-transport-security"]], [200, "max-age=31536000"])
    }))

  it.scopedLive("does not pass metrics on", () =>
    Effect.gen(function*() {
      const { port } = yield* behind
      const socket = yield* rawSocket(port)
      for (const path of ["/metrics", "/metrics/", "/metrics/x"]) yield* socket.write(head("GET", path, {}))
      assert.deepStrictEqual(answersIn(yield* socket.until(answers(3))).map(({ status }) => status), [404, 404, 404])
    }))
})

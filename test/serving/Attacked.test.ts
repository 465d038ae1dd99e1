import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { answers, answersIn, head } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The service as a listening process of its own, with windows longer than the test. */
const started = (key: string) =>
  Effect.gen(function*() {
    const { PATH = "" } = process.env
    const env = {
      PATH,
      LOG_FORMAT: "json",
      PORT: "0",
      DATA_DIR: yield* temporaryFolder,
      API_KEYS: `caller=${key}`,
      RATE_WINDOW_SECONDS: "3600"
    }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] })),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    )
    const port = yield* Effect.async<number>((resume) => {
      let told = ""
      const listen = (text: string) => {
        told += text
        const found = /"url":"http:\/\/[^"]*:(\d+)"/.exec(told)
        if (found === null) return
        child.stderr.off("data", listen).resume()
        resume(Effect.succeed(Number(found[1])))
      }
      child.stderr.setEncoding("utf8").on("data", listen)
    })
    const megabytes = Effect.sync(() =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8"))?.[1] ?? Infinity) / 1024
    )
    return { port, megabytes }
  })

const connections = 20
const rounds = 16
const atOnce = 16
const total = connections * rounds * atOnce

/** Counts of each status for invented keys over some connections. */
const invented = (port: number) =>
  Effect.gen(function*() {
    const sockets = yield* Effect.all(Array.from({ length: connections }, () => rawSocket(port)))
    for (let round = 1; round <= rounds; round++) {
      const asked = () => head("GET", "/testnet/paths", { authorization: `Bearer ${freshApiKey()}` })
      yield* Effect.all(sockets.map((socket) => socket.write(Array.from({ length: atOnce }, asked).join(""))))
      yield* Effect.all(sockets.map((socket) => socket.until(answers(round * atOnce))))
    }
    const received = yield* Effect.all(sockets.map((socket) => socket.until(() => true)))
    const all = received.flatMap((text) => answersIn(text)).map(({ status }) => status)
    return { unknown: all.filter((status) => status === 401).length, limited: all.filter((status) => status === 429).length }
  }).pipe(Effect.scoped)

it.scopedLive.runIf(isThorough)(
  `a process under ${2 * total} invented keys, a thousand idle connections and a flood on one, serves who has a key, and does not grow`,
  () =>
    Effect.gen(function*() {
      const key = freshApiKey()
      const { megabytes, port } = yield* started(key)
      const caller = yield* rawSocket(port)
      let asked = 0
      const served = Effect.gen(function*() {
        yield* caller.write(head("GET", "/testnet/paths", { authorization: `Bearer ${key}` }))
        const last = answersIn(yield* caller.until(answers(++asked))).at(-1)
        // Only the caller's own window counts.
        assert.deepStrictEqual([last?.status, last?.headers["ratelimit-remaining"]], [400, String(120 - asked)])
      })
      yield* served
      const [first] = yield* Effect.all([invented(port), served], { concurrency: 2 })
      assert.deepStrictEqual(first, { unknown: 120, limited: total - 120 })
      const before = yield* megabytes
      const [second] = yield* Effect.all([invented(port), served], { concurrency: 2 })
      assert.strictEqual(second.unknown + second.limited, total)

      const idle = yield* Effect.all(Array.from({ length: 1_000 }, () => rawSocket(port)), { concurrency: 50 })
      yield* served
      const flood = yield* rawSocket(port)
      yield* flood.write(head("GET", "/health", {}).repeat(20_000))
      yield* served
      yield* Effect.ignore(flood.closed)
      yield* Effect.all(idle.map(({ hangUp }) => hangUp))
      yield* served
      assert.isBelow(yield* megabytes, before + 100)
    }),
  180_000
)

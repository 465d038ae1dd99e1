import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

interface Line {
  readonly level: string
  readonly message: string
  readonly timestamp: string
  readonly [field: string]: unknown
}

/** The service as a process of its own. Its log is read line by line. */
const running = (settings: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { PATH = "" } = process.env
      const child = spawn(process.execPath, [main], { env: { PATH, LOG_FORMAT: "json", ...settings }, stdio: ["ignore", "ignore", "pipe"] })
      const lines: Array<Line> = []
      const waiting = new Map<string, (line: Line) => void>()
      let rest = ""
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        const parts = (rest + text).split("\n")
        rest = parts.pop() ?? ""
        for (const part of parts) {
          const line: Line = JSON.parse(part)
          lines.push(line)
          waiting.get(line.message)?.(line)
        }
      })
      const logged = (message: string) => Effect.promise(() => new Promise<Line>((resolve) => waiting.set(message, resolve)))
      return { child, lines, logged }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const ended = (child: ChildProcess) => Effect.promise(() => new Promise<number | null>((resolve) => child.on("close", resolve)))

it.scopedLive("a process with wrong settings tells all of them, and ends with 1", () =>
  Effect.gen(function*() {
    const { child, lines } = yield* running({ RATE_LIMIT: "many", RATELIMIT: "5" })
    assert.strictEqual(yield* ended(child), 1)
    assert.deepStrictEqual(lines.map(({ level, setting }) => [level, setting]), [["FATAL", "RATE_LIMIT"], ["FATAL", "RATELIMIT"]])
  }))

it.scopedLive("a process whose port is taken says so in words", () =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => {
        const made = createServer()
        return new Promise<typeof made>((resolve) => made.listen(0, "127.0.0.1", () => resolve(made)))
      }),
      (made) => Effect.sync(() => made.close())
    )
    const { port } = server.address() as AddressInfo
    const { child, lines } = yield* running({ PORT: String(port), DATA_DIR: "/tmp" })
    assert.strictEqual(yield* ended(child), 1)
    const last = lines.at(-1)
    assert.strictEqual(last?.level, "FATAL")
    assert.match(String(last?.["reason"]), /^PORT is taken/)
  }))

it.scopedLive("a process tells when it listens and when it drains, each log line of one shape, and ends with 0 when it is told to", () =>
  Effect.gen(function*() {
    const { child, lines, logged } = yield* running({ PORT: "0", DATA_DIR: "/tmp" })
    const { url } = yield* logged("listening")
    assert.strictEqual((yield* Effect.promise(() => fetch(`${String(url)}/health`))).status, 200)
    child.kill("SIGTERM")
    assert.strictEqual(yield* ended(child), 0)
    const own = lines.filter(({ message }) => message === "listening" || message === "request" || message === "draining")
    assert.deepStrictEqual(own.map(({ message }) => message), ["listening", "request", "draining"])
    for (const line of lines) {
      assert.isString(line.message)
      assert.isString(line.timestamp)
      assert.notProperty(line, "fiberId")
      assert.notProperty(line, "spans")
    }
    assert.include(own[1], { method: "GET", route: "/health", status: 200, level: "INFO" })
  }))

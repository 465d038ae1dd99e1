import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const source = fileURLToPath(new URL("../../../src/main.ts", import.meta.url))

/** A line of a process's log. */
export interface Line {
  readonly level: string
  readonly message: string
  readonly timestamp: string
  readonly [field: string]: unknown
}

/** The service as a process of its own, ended with the scope. Its log is read line by line. `entry`: the file that Node runs. */
export const serviceProcess = (settings: Readonly<Record<string, string>>, entry = source) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { PATH = "" } = process.env
      const child = spawn(process.execPath, [entry], {
        env: { PATH, LOG_FORMAT: "json", ...settings },
        stdio: ["ignore", "ignore", "pipe"]
      })
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
      /** The first line with that message. */
      const logged = (message: string) =>
        Effect.promise(() =>
          new Promise<Line>((resolve, reject) => {
            const told = lines.find((line) => line.message === message)
            if (told !== undefined) return resolve(told)
            waiting.set(message, resolve)
            child.once("close", () => reject(new Error(`ended without "${message}": ${JSON.stringify(lines)}`)))
          })
        )
      return { child, lines, logged }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** The exit code and signal of a process. */
export const ended = (child: ChildProcess) =>
  Effect.promise(() =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
      child.once("close", resolve)
    })
  )

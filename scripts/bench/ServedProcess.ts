import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"

/** Cost of a process until its first answer, and after. */
export interface ServedProcess {
  readonly url: string
  /** Milliseconds until the first answer. */
  readonly wall: number
  /** Milliseconds of its CPU until now. */
  readonly cpu: () => number
  /** MiB of its memory now. */
  readonly memory: () => number
}

/** Time limit until a process answers, in milliseconds. */
const mostStart = 60_000

/** Milliseconds between two questions. Asked without a pause, the asking itself slows the start where cores are few. */
const pauseMillis = 20

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const ticksPerSecond = 100

const pause = (forMillis: number) => new Promise<void>((resume) => setTimeout(resume, forMillis))

/** From Linux's process figures; throws elsewhere. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond
}

const memoryOf = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

const answered = async (child: ChildProcess, url: string): Promise<ServedProcess> => {
  const began = performance.now()
  const { pid = 0 } = child
  for (;;) {
    const isThere = await fetch(`${url}/health`).then(({ ok }) => ok, () => false)
    if (isThere) break
    if (child.exitCode !== null) throw new Error("the process ended before it answered")
    if (performance.now() - began > mostStart) throw new Error("the process did not answer within a minute")
    await pause(pauseMillis)
  }
  const wall = performance.now() - began
  return { url, wall, cpu: () => cpuOf(pid), memory: () => memoryOf(pid) }
}

/** Node with these arguments and settings until the scope closes, after its answer on `/health`. */
export const served = (args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const url = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, args, { stdio: "ignore", env: { PATH: process.env["PATH"], PORT: new URL(url).port, ...settings } })
      ),
      (one) => Effect.promise(() => ended(one))
    )
    return yield* Effect.promise(() => answered(child, url))
  })

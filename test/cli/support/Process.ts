import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { packedCommand } from "./PackedCommand.ts"

/** The end of a command-line run. */
export interface Ended {
  /** Null: it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Given {
  /** The file of the command line; absent: as it is packed here. */
  readonly main?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** The input of file descriptor 3. */
  readonly third?: string
  /** Called with the process as soon as it runs. */
  readonly started?: (child: ChildProcess) => void
}

/** Runs the command line in a process of its own, which has no terminal. */
export const closeout = (
  args: ReadonlyArray<string>,
  { env = {}, main, started, stdin = "", third = "" }: Given = {}
): Effect.Effect<Ended> =>
  Effect.flatMap(Effect.promise(async () => main ?? (await packedCommand())), (file) =>
    Effect.async((resume) => {
      const { CLOSEOUT_SECRET: _, ...inherited } = process.env
      const child = spawn(process.execPath, [file, ...args], {
        env: { ...inherited, ...env },
        stdio: ["pipe", "pipe", "pipe", "pipe"]
      })
      let [stdout, stderr] = ["", ""]
      child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text))
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text))
      // A process that does not read its input may have exited before.
      for (const [stream, text] of [[child.stdin, stdin], [child.stdio[3], third]] as const) {
        if (stream !== null && stream !== undefined && "end" in stream) stream.on("error", () => undefined).end(text)
      }
      child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
      started?.(child)
      return Effect.sync(() => child.kill("SIGKILL"))
    }))

/** The lines of JSON that a command wrote. */
export const jsonLines = <A>({ stdout }: Ended): ReadonlyArray<A> =>
  stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as A)

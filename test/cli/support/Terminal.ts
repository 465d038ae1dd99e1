import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { stripVTControlCharacters } from "node:util"
import { packedCommand } from "./PackedCommand.ts"

/** Whether `script`, which gives a process a terminal, is installed. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0

/** The keys that a person types once a text is on the screen. */
export type Typing = readonly [onScreen: RegExp, keys: string]

/** The end of a run in a terminal, with everything that was on its screen. */
export interface Shown {
  readonly code: number | null
  readonly screen: string
}

/** Runs the command line in a terminal. Waits for each text in turn, and types its keys once. */
export const inTerminal = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  typing: ReadonlyArray<Typing>
): Effect.Effect<Shown> =>
  Effect.flatMap(Effect.promise(packedCommand), (file) =>
    Effect.async((resume) => {
      const command = [process.execPath, file, ...args].map((one) => `'${one}'`).join(" ")
      const child = spawn("script", ["-qec", command, "/dev/null"], { env: { ...process.env, TERM: "xterm", NO_COLOR: "1", ...env } })
      const left = [...typing]
      let [screen, seen] = ["", 0]
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        screen += stripVTControlCharacters(text)
        const [next] = left
        const found = next === undefined ? null : next[0].exec(screen.slice(seen))
        if (next === undefined || found === null) return
        left.shift()
        seen += found.index + found[0].length
        child.stdin.write(next[1])
      })
      child.on("close", (code) => resume(Effect.succeed({ code, screen })))
      return Effect.sync(() => child.kill("SIGKILL"))
    }))

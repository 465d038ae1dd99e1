import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Command } from "./Blocks.ts"
import { differences, shortened } from "./Shortened.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The files of a checkout that commands of a page use. */
const used = ["package.json", "node_modules", "scripts", "src", "test"]

/** A folder like a checkout for commands to write to; deleted with the scope. */
export const checkout = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "pages-"))
    for (const name of used) symlinkSync(join(root, name), join(folder, name))
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An error answer fails a command, so that it is noticed. */
const opening = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
`

/** Runs commands one after the other in one shell, as a reader would. Compares the answers with those of the page. */
export const run = (folder: string, commands: ReadonlyArray<Command>, environment: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const parts = commands.map(({ code }, index) => `echo ${index} > running\n{ ${code.trimEnd()}\n} > "$PWD/output.${index}"\n`)
    const script = join(folder, "session")
    writeFileSync(script, opening + parts.join(""))
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...environment }
    const shell = spawn("bash", [script], { cwd: folder, env, stdio: ["ignore", "inherit", "pipe"] })
    let said = ""
    shell.stderr.on("data", (chunk) => void (said += String(chunk)))
    const status = await new Promise((resolve) => shell.on("close", resolve))
    const textOf = (name: string) => readFileSync(join(folder, name), "utf8")
    if (status !== 0) {
      const failed = commands[Number(textOf("running"))]
      assert.fail(`${failed?.page}:${failed?.line} ended with ${String(status)}: ${said}${textOf(`output.${textOf("running").trim()}`)}`)
    }
    return commands.map(({ answer, code, line, page }, index) => {
      const written = /> (\w+\.json)\s*$/.exec(code)?.[1]
      const output = textOf(`output.${index}`) || (written === undefined ? "" : textOf(written))
      if (answer !== null) assert.deepStrictEqual(differences(shortened(answer), JSON.parse(output)), [], `${page}:${line}: ${output}`)
      return output
    })
  })

/**
 * A team's package, in an empty folder outside this project: what `npm pack` makes of this one is installed into it without our overrides,
 * it type-checks, and its service closes an account with something in a protocol that nothing here knows. `Package.test.ts` tries the same from
 * the sources, which takes seconds.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = join(here, "..", "..")
const folder = mkdtempSync(join(tmpdir(), "outside-"))

const run = (directory: string, command: string, ...args: ReadonlyArray<string>): string => {
  const began = performance.now()
  const { error, status, stdout } = spawnSync(command, args, { cwd: directory, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })
  process.stdout.write(stdout)
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")} ended with ${status}`)
  console.log(`${command} ${args.join(" ")}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return stdout
}

try {
  cpSync(join(here, "package"), folder, { recursive: true })
  const packed = run(root, "npm", "pack", "--silent", "--pack-destination", folder).trim().split("\n").at(-1) ?? ""
  renameSync(join(folder, packed), join(folder, "account-closeout.tgz"))
  run(folder, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
  run(folder, "npm", "run", "--silent", "check")
  run(folder, "npm", "run", "--silent", "close")
} finally {
  rmSync(folder, { recursive: true, force: true })
}

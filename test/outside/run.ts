/**
 * A team's package in an empty folder outside this project. It installs this project's `npm pack` file without our overrides, and
 * type-checks. Its service closes an account with a position in a protocol that this project does not know, and another one for the packed
 * command line. `Package.test.ts` tests the former from the sources, which takes seconds.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = join(here, "..", "..")
const folder = mkdtempSync(join(tmpdir(), "outside-"))

/** npm's words where no registry answers. */
const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED)\b/

/** Installs the packages of the folder. False where the registry cannot be reached. */
const installed = (directory: string): boolean => {
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: directory,
    encoding: "utf8"
  })
  if (status !== 0 && !unreachable.test(stderr)) throw new Error(`npm install ended with ${status}: ${stderr}`)
  return status === 0
}

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
  if (installed(folder)) {
    run(folder, "npm", "run", "--silent", "check")
    run(folder, "npm", "run", "--silent", "close")
    run(folder, "npx", "--no-install", "closeout", "--version")
  } else console.log("skipped: no package registry can be reached, and the package has nothing to be installed from")
} finally {
  rmSync(folder, { recursive: true, force: true })
}

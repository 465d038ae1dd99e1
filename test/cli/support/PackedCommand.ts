import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { bundleCloseout } from "../../../scripts/closeout-bundle.ts"
import { root } from "../../../scripts/sources.ts"
import { lazily } from "../../../src/fibers/Lazily.ts"

/** How the sources are packed, and with which libraries. */
const recipe = ["scripts/bundling.ts", "scripts/closeout-bundle.ts", "package.json", "package-lock.json"]

/** Changes with everything that is packed. */
const version = (): string => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).toSorted().map((name) => join("src", name))
  const hash = createHash("sha256")
  for (const path of [...sources.filter((name) => /\.\w+$/.test(name)), ...recipe]) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest("hex").slice(0, 16)
}

/** The file of the command line as people get it, packed once for all runs on the same sources. It starts in a third of their time. */
export const packedCommand = lazily(async (): Promise<string> => {
  const kept = join(root, "node_modules", ".cache", "closeout")
  const now = version()
  const folder = join(kept, now)
  if (!existsSync(folder)) {
    mkdirSync(kept, { recursive: true })
    const outdated = readdirSync(kept).filter((name) => !name.startsWith(now))
    for (const name of outdated) await rm(join(kept, name), { recursive: true, force: true })
    const own = `${folder}.${process.pid}`
    await bundleCloseout(own)
    // Another worker may have been quicker.
    await rename(own, folder).catch(() => rm(own, { recursive: true }))
  }
  return join(folder, "closeout.mjs")
})

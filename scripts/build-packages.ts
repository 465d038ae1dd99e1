/** Writes what packages of teams import (`exports` of package.json) to `dist/packages`: JavaScript and its declarations, file by file. Types are checked elsewhere. */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "./sources.ts"

// What is no source any more would be packed too.
rmSync(join(root, "dist", "packages"), { recursive: true, force: true })
const { status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.packages.json"], { cwd: root, stdio: "inherit" })
process.exitCode = status ?? 1

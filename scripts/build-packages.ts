/**
 * Writes what is packed. The modules that packages of teams import (`exports` of package.json) go to `dist/packages`: JavaScript and its
 * declarations, file by file. The command line goes to `dist/closeout`. Types are checked elsewhere.
 */
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pageScriptModule } from "./bundling.ts"
import { bundleCloseout } from "./closeout-bundle.ts"
import { root } from "./sources.ts"

// Outputs of deleted sources would be packed too.
for (const folder of ["packages", "closeout"]) rmSync(join(root, "dist", folder), { recursive: true, force: true })
const { status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.packages.json"], { cwd: root, stdio: "inherit" })
process.exitCode = status ?? 1

writeFileSync(join(root, "dist", "packages", "http", "page", "BundledScript.js"), await pageScriptModule())

await bundleCloseout(join(root, "dist", "closeout"))

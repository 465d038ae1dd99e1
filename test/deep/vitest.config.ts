import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { runByNode } from "../../vitest.config.ts"

/** Files of which `npm test` runs only some cases. */
const sampled = globSync("test/**/*.test.ts").filter((file) => readFileSync(file, "utf8").includes("/support/Thorough.ts"))

/** The long form of properties that `npm test` runs a few hundred times, and every case of the files that it runs in part. */
export default defineConfig({
  test: {
    include: ["test/deep/**/*.deep.ts", ...sampled],
    setupFiles: ["test/support/Worker.setup.ts"],
    server: { deps: { external: runByNode } },
    testTimeout: 1_800_000,
    env: { RECOMPUTE_RECEIPTS: "1" },
    provide: { longestProperty: 1_500_000, thorough: true }
  }
})

import { defineConfig } from "vitest/config"
import { runByNode } from "../../vitest.config.ts"

/** The long form of properties that `npm test` runs a few hundred times. */
export default defineConfig({
  test: {
    include: ["test/deep/**/*.deep.ts"],
    server: { deps: { external: runByNode } },
    testTimeout: 1_800_000
  }
})

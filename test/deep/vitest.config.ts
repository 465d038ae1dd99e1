import { defineConfig } from "vitest/config"
import { runByNode } from "../../vitest.config.ts"

/** The long form of properties that `npm test` runs a few hundred times. */
export default defineConfig({
  test: {
    include: ["test/deep/**/*.deep.ts"],
    setupFiles: ["test/support/Worker.setup.ts"],
    server: { deps: { external: runByNode } },
    testTimeout: 1_800_000,
    provide: { longestProperty: 1_500_000 }
  }
})

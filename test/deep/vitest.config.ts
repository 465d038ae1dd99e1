import { defineConfig } from "vitest/config"

/** The long form of properties that `npm test` runs a few hundred times. */
export default defineConfig({
  test: {
    include: ["test/deep/**/*.deep.ts"],
    testTimeout: 1_800_000
  }
})

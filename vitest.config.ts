import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    // Every core: the default leaves one idle, which of two is half the machine.
    maxWorkers: "100%",
    minWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    // Every core: the default leaves one idle, which of two is half the machine.
    maxWorkers: "100%",
    minWorkers: 1,
    // Files of one worker share its libraries: importing them anew for each took half of the whole time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})

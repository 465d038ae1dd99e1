import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})

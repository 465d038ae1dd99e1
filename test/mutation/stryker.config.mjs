import { chosenRoom } from "./Rooms.ts"

const results = `node_modules/.cache/mutation/${process.env["MUTATED_ROOM"]}`

export default {
  mutate: chosenRoom().mutate,
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  // The tests of the whole service hang in a worker thread; in a process they end.
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false, pool: "forks" },
  // Node runs the sources and strips their types: neither a compiler nor its settings are needed. Stryker cannot load this version's.
  tsconfigFile: "none.json",
  disableTypeChecks: false,
  concurrency: 1,
  incremental: true,
  incrementalFile: `${results}.incremental.json`,
  reporters: ["clear-text", "progress-append-only", "json"],
  jsonReporter: { fileName: `${results}.json` },
  clearTextReporter: { reportTests: false, reportMutants: false, allowColor: false },
  ignorePatterns: ["/shared", "/dist", "/data", "/coverage"]
}

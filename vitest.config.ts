import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { sourceOfExport } from "./test/outside/FromSource.ts"
import { SlowFirst } from "./test/support/SlowFirst.ts"

/**
 * Node runs these sources itself, without a transform or a wrapper around every module, which is quicker to start and to run. While
 * watching, Vite has to know who imports whom, and loads them.
 */
export const runByNode = [/\/src\/.*\.ts$/, /\/scripts\/.*\.ts$/, /\/test\/.*(?<!\.setup)\.ts$/]

// What Node made of the sources is kept for the next run.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url))

/** One more than there are cores: files wait for processes of their own, browsers and time that passes for a sixth of the time. */
const workers = availableParallelism() + 1

const watches = !process.argv.includes("run")

/** `npm run openapi -- --record` names the file to which requests and answers go. */
const recorder = process.env["RECORD_EXAMPLES"] === undefined ? [] : ["test/support/Recorder.setup.ts"]

export default defineConfig({
  // The same as `packagesFromSource` for what Vite loads.
  resolve: {
    alias: [...sourceOfExport].map(([name, url]) => ({ find: new RegExp(`^${name}$`), replacement: fileURLToPath(url) }))
  },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/Worker.setup.ts", ...recorder],
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    maxWorkers: workers,
    // None ends before the last file has: the pool may end an idle one twice, which breaks the run off.
    minWorkers: workers,
    // Files of one worker share its libraries: importing them anew for each took half of the whole time.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    server: { deps: { external: watches ? [] : runByNode } },
    testTimeout: 60_000,
    provide: { longestProperty: 45_000, thorough: false },
    hookTimeout: 60_000
  }
})

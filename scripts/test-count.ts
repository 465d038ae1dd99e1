/** The plain count of the last test run, from the runner's own report. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./sources.ts"

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numFailedTestSuites: number
}

const report = JSON.parse(readFileSync(join(root, "node_modules/.cache/vitest-report.json"), "utf8")) as Report
const failed = Math.max(report.numFailedTests, report.numFailedTestSuites)
process.stdout.write(`${report.numPassedTests} passed, ${failed} failed\n`)

/**
 * Writes the OpenAPI document that the tests pin. With --check it only compares. With --record it runs tests on the sandbox first, and adds
 * their requests and answers as missing examples. Delete an example from the file to record it again.
 */
import { OpenApi } from "@effect/platform"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Api } from "../src/api/Api.ts"
import { ErrorTable } from "../src/api/ErrorTable.ts"
import { examplesOf, type Exchange, merged } from "./openapi/Examples.ts"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const file = at("../test/fixtures/openapi.json")
const examplesFile = at("../src/api/examples.json")
const document = OpenApi.fromApi(Api)
const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

const routes = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ operationId, template, method: method.toUpperCase() }))
)

/** Runs the tests named after --record, or all of them, and returns their HTTP exchanges. */
const recording = (): ReadonlyArray<Exchange> => {
  const folder = mkdtempSync(join(tmpdir(), "recording-"))
  const lines = join(folder, "exchanges")
  const names = process.argv.slice(process.argv.indexOf("--record") + 1)
  const env = { ...process.env, RECORD_EXAMPLES: lines }
  const known = names.length === 1 && existsSync(names[0] ?? "") && names[0]?.endsWith(".jsonl") === true ? names[0] : null
  if (known === null) spawnSync("npx", ["vitest", "run", ...names], { stdio: "inherit", env, cwd: at("..") })
  const text = readFileSync(known ?? lines, "utf8")
  rmSync(folder, { recursive: true })
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Exchange)
}

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== `${JSON.stringify(document, null, 2)}\n`) {
    process.stderr.write("test/fixtures/openapi.json is not up to date: npm run openapi\n")
    process.exitCode = 1
  }
} else if (process.argv.includes("--record")) {
  const codes = [...new Set(Object.values(ErrorTable).map(({ code }) => code))]
  write(examplesFile, merged(JSON.parse(readFileSync(examplesFile, "utf8")), examplesOf(routes, codes, recording())))
  // The document imports the examples, so another process has to write it.
  spawnSync(process.execPath, [at("openapi.ts")], { stdio: "inherit" })
} else write(file, document)

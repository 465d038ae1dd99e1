/** Writes the OpenAPI document that the tests pin. With --check it only compares. */
import { OpenApi } from "@effect/platform"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Api } from "../src/api/Api.ts"

const file = fileURLToPath(new URL("../test/fixtures/openapi.json", import.meta.url))
const wanted = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== wanted) {
    process.stderr.write("test/fixtures/openapi.json is not up to date: npm run openapi\n")
    process.exitCode = 1
  }
} else writeFileSync(file, wanted)

import { OpenApi } from "@effect/platform"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Api } from "../src/api/Api.ts"

/** Writes the OpenAPI document that the tests pin. */
const file = fileURLToPath(new URL("../test/fixtures/openapi.json", import.meta.url))
writeFileSync(file, `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`)

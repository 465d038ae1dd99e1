import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Api } from "../../src/api/Api.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly security: ReadonlyArray<Record<string, unknown>>
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly responses: Record<
    string,
    {
      readonly description: string
      readonly headers?: Record<string, unknown>
      readonly content?: Record<string, { readonly schema: Choice }>
    }
  >
}

interface Choice {
  readonly $ref?: string
  readonly oneOf?: ReadonlyArray<Choice>
  readonly anyOf?: ReadonlyArray<Choice>
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<
      string,
      { readonly properties?: { readonly error?: Choice; readonly code?: { readonly enum?: ReadonlyArray<string> } } }
    >
  }
}

const text = JSON.stringify(OpenApi.fromApi(Api))
const document: Document = JSON.parse(text)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

/** Every route, as agreed with callers, with the token it needs. */
const agreed: Record<string, string | undefined> = {
  "GET /": undefined,
  "GET /openapi.json": undefined,
  "GET /docs": undefined,
  "GET /docs/errors.md": undefined,
  "GET /llms.txt": undefined,
  "GET /.well-known/api-catalog": undefined,
  "GET /plan-view": undefined,
  "GET /allowances-view": undefined,
  "GET /pages/script.js": undefined,
  "GET /pages/style.css": undefined,
  "GET /health": undefined,
  "GET /health/deep": undefined,
  "GET /health/ready": undefined,
  "GET /config/exchange-registry": undefined,
  "GET /{network}/account/{address}": "apiKey",
  "GET /{network}/allowances/{address}": "apiKey",
  "POST /{network}/allowances/revoke": "apiKey",
  "POST /mcp": "apiKey",
  "GET /{network}/paths": "apiKey",
  "GET /{network}/destinations/{address}": "apiKey",
  "GET /{network}/preflight/{address}": "apiKey",
  "POST /v1/{network}/close/plan": "apiKey",
  "POST /v1/{network}/close/transactions": "apiKey",
  "POST /v1/{network}/close/batch-plan": "apiKey",
  "POST /{network}/mediator/sign": "apiKey",
  "POST /v1/{network}/submit": "apiKey",
  "GET /v1/{network}/transactions/{hash}": "apiKey",
  "GET /keys": undefined,
  "POST /keys/challenge": undefined,
  "POST /keys/session": undefined,
  "GET /keys/mine": "session",
  "POST /keys/mine": "session",
  "POST /keys/mine/{id}/rotate": "session",
  "POST /keys/mine/{id}/revoke": "session",
  "GET /close": undefined,
  "POST /close/challenge": undefined,
  "POST /close/session": undefined,
  "POST /close/test-account": undefined,
  "POST /close/plan": "closeSession",
  "POST /close/transactions": "closeSession",
  "POST /close/submit": "closeSession",
  "POST /close/mediator-sign": "closeSession",
  "POST /admin/api-keys": "adminToken",
  "GET /admin/api-keys": "adminToken",
  "POST /admin/api-keys/{id}/revoke": "adminToken",
  "POST /admin/api-keys/{id}/rotate": "adminToken",
  "GET /metrics": "metricsToken"
}

const propertiesOf = (schema: Choice | undefined) => document.components.schemas[schema?.$ref?.split("/").at(-1) ?? ""]?.properties

const codesOf = (operation: Operation, status: string): ReadonlyArray<string> => {
  const schema = operation.responses[status]?.content?.["application/json"]?.schema
  const [error] = (schema?.anyOf ?? [schema]).flatMap((one) => propertiesOf(one)?.error ?? [])
  const choices = error?.oneOf ?? (error === undefined ? [] : [error])
  return choices.flatMap((choice) => propertiesOf(choice)?.code?.enum ?? [])
}

describe("OpenAPI document", () => {
  it("is the pinned one (npm run openapi writes it)", () => {
    const pinned = readFileSync(fileURLToPath(new URL("../fixtures/openapi.json", import.meta.url)), "utf8")
    assert.deepStrictEqual(JSON.parse(text), JSON.parse(pinned))
  })

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator()
    const outcome = await validator.validate(JSON.parse(text))
    assert.isTrue(outcome.valid, JSON.stringify(outcome.valid ? "" : outcome.errors))
    assert.strictEqual(validator.version, "3.1")
  })

  it("declares every route with the token it needs, and no other", () => {
    const found = Object.fromEntries(operations.map(({ name, operation }) => [name, operation.security.flatMap(Object.keys)[0]]))
    assert.deepStrictEqual(found, agreed)
  })

  it("says what each route does and what its parameters mean", () => {
    for (const { name, operation } of operations) {
      assert.isString(operation.summary, name)
      assert.isString(operation.description, name)
      for (const parameter of operation.parameters) assert.isString(parameter.description, `${name} ${parameter.name}`)
    }
  })

  it("shows each error's codes at their status, with whether a retry helps", () => {
    const statuses = new Map<string, Set<number>>()
    for (const row of Object.values(ErrorTable)) statuses.set(row.code, (statuses.get(row.code) ?? new Set()).add(row.status))
    for (const { name, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || ["GET /health/deep", "GET /health/ready"].includes(name) && status === "503") continue
        // A failure of JSON-RPC, which has codes of its own.
        if (name === "POST /mcp" && status === "403") continue
        const codes = codesOf(operation, status)
        assert.isNotEmpty(codes, `${name} ${status}`)
        for (const code of codes) {
          assert.isTrue(statuses.get(code)?.has(Number(status)), `${name} ${status} ${code}`)
          assert.include(answer.description, `\`${code}\``)
        }
        assert.match(answer.description, /Retry: (never|after_fix|after_delay|replan)\./)
      }
    }
  })

  it("declares limits and faults on every route", () => {
    for (const { name, operation } of operations) {
      assert.deepStrictEqual([codesOf(operation, "429"), codesOf(operation, "500")], [["rate_limited"], ["internal_error"]], name)
      assert.include(codesOf(operation, "504"), "deadline_exceeded", name)
      assert.property(operation.responses["429"]?.headers, "Retry-After", name)
      if (operation.security.length > 0) assert.include(codesOf(operation, "401"), "unauthorized", name)
      if (name.startsWith("POST")) {
        assert.include(codesOf(operation, "400"), "invalid_body", name)
        assert.deepStrictEqual(
          [codesOf(operation, "413"), codesOf(operation, "415")],
          [["payload_too_large"], ["unsupported_media_type"]],
          name
        )
      }
      if (name.includes("{network}")) assert.include(codesOf(operation, "400"), "invalid_network", name)
    }
  })

  it("holds nothing of the framework's own errors", () => {
    assert.notInclude(text, "HttpApiDecodeError")
    assert.notInclude(text, "\"PropertyKey\"")
  })

  it("carries the whole error table as data", () => {
    const rows = JSON.parse(text)["x-error-table"]
    assert.deepStrictEqual(rows, Object.values(ErrorTable).map(({ code, status, retry, meaning }) => ({ code, status, retry, meaning })))
  })
})

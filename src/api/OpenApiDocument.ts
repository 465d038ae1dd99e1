import type { OpenApi } from "@effect/platform"
import { ErrorTable } from "./ErrorTable.ts"

type Document = OpenApi.OpenAPISpec

const rows = Object.values(ErrorTable)

const schemaPrefix = "#/components/schemas/"

/** Shapes of the framework's own answer to undecodable requests, which the service replaces by its envelope. */
const leftovers = ["HttpApiDecodeError", "Issue", "PropertyKey"]

const headers = {
  RequestId: { description: "A UUID made by the server; quote it when reporting a problem.", schema: { type: "string", format: "uuid" } },
  RateLimitLimit: { description: "Requests a window.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Requests left in this window.", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until the window ends.", schema: { type: "integer" } },
  RetryAfter: {
    description: "Seconds to wait before trying again. Left out of a 503 whose `details.retry` is `never`.",
    schema: { type: "integer" }
  }
}

const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const headersOf = (status: string) => ({
  "X-Request-Id": ref("RequestId"),
  "RateLimit-Limit": ref("RateLimitLimit"),
  "RateLimit-Remaining": ref("RateLimitRemaining"),
  "RateLimit-Reset": ref("RateLimitReset"),
  ...(status === "429" || status === "503" ? { "Retry-After": ref("RetryAfter") } : {})
})

/** The alternatives of an answer's schema. */
const choicesOf = (schema: object): ReadonlyArray<object> => "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

/** The name of the shared schema that is referred to, or nothing. */
const nameOf = (schema: object): string => "$ref" in schema && typeof schema.$ref === "string" ? schema.$ref.slice(schemaPrefix.length) : ""

const errorNames = new Map(Object.entries(ErrorTable).map(([tag, row]) => [`Error${tag}`, row]))

/** Drops the framework's shape from an answer, and lists its codes in words. */
const finishAnswer = (status: string, answer: OpenApi.OpenApiSpecResponse) => {
  const media = answer.content?.["application/json"]
  const choices = media === undefined ? [] : choicesOf(media.schema).filter((choice) => !leftovers.includes(nameOf(choice)))
  const rowsHere = choices.flatMap((choice) => errorNames.get(nameOf(choice)) ?? [])
  if (rowsHere.length === 0) return { ...answer, headers: headersOf(status) }
  const codes = new Map(rowsHere.map((row) => [row.code, `\`${row.code}\`: ${row.meaning} Retry: ${row.retry}.`]))
  return {
    description: [...codes.values()].join("\n\n"),
    headers: headersOf(status),
    content: { "application/json": { schema: choices.length === 1 ? choices[0] : { anyOf: choices } } }
  }
}

/** A parameter whose schema is shared takes its description from there. */
const finishParameter = (parameter: OpenApi.OpenAPISpecParameter, schemas: Document["components"]["schemas"]) => {
  const shared = schemas[nameOf(parameter.schema)]
  return shared?.description === undefined ? parameter : { ...parameter, description: shared.description }
}

/** Answers may gain fields and unknown fields of requests are ignored, so no object is declared closed. */
const opened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([key, inner]) => key !== "additionalProperties" || inner !== false).map((
      [key, inner]
    ) => [key, opened(inner)])
  )
}

const table = [
  "| Status | Code | Retry | Meaning |",
  "|---|---|---|---|",
  ...rows.map((row) => `| ${row.status} | \`${row.code}\` | ${row.retry} | ${row.meaning} |`)
].join("\n")

/** The error table as data, for software that reads the document. */
const errorTable = rows.map(({ code, status, retry, meaning }) => ({ code, status, retry, meaning }))

/** Finishes the generated document: the service's own errors and headers in place of the framework's. */
export const finishDocument = (spec: Document): Record<string, unknown> => ({
  ...spec,
  info: {
    ...spec.info,
    description: `${
      spec.info.description ?? ""
    }\n\n## Errors\n\nEvery error is \`{"error": {code, message, details}}\`. Branch on \`code\`; \`details.retry\` says whether a repetition helps.\n\n${table}`
  },
  paths: opened(Object.fromEntries(
    Object.entries(spec.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          {
            ...operation,
            parameters: operation.parameters.map((parameter) => finishParameter(parameter, spec.components.schemas)),
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, answer]) => [status, finishAnswer(status, answer)])
            )
          }
        ])
      )
    ])
  )),
  components: {
    ...spec.components,
    headers,
    schemas: Object.fromEntries(
      Object.entries(spec.components.schemas).filter(([name]) => !leftovers.includes(name)).map(([name, schema]) => [name, opened(schema)])
    )
  },
  "x-error-table": errorTable
})

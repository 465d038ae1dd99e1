import type { OpenApi } from "@effect/platform"
import { errorAnswer, type ShownError } from "./DocumentErrors.ts"
import { nameOf, opened, reached, type Shape, type Shapes, withDiscriminators } from "./DocumentSchemas.ts"
import { ErrorTable } from "./ErrorTable.ts"
import recorded from "./examples.json" with { type: "json" }

type Document = OpenApi.OpenAPISpec

const rows = Object.values(ErrorTable)

const examples: Readonly<Record<string, unknown>> = recorded

const exampleRef = (name: string) => ({ $ref: `#/components/examples/${name}` })

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

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

type Content = Readonly<Record<string, object>>

const jsonOf = ({ content }: { readonly content?: object }): Content => ({ ...content })

/** A body with the recorded example of its operation, where there is one. */
const exemplified = (content: Content, name: string): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type === "application/json" && name in examples ? { ...media, examples: { recorded: exampleRef(name) } } : media
    ])
  )

/** The errors of an answer under the name that their schema has where there are several; null where it has none. */
const errorsOf = (operation: string, [status, answer]: readonly [string, OpenApi.OpenApiSpecResponse], schemas: Shapes) => {
  const media = answer.content?.["application/json"]
  return media === undefined ? null : errorAnswer(`${capitalized(operation)}Error${status}`, { ...media.schema }, schemas)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The recorded example of an error. Where the code has other details elsewhere, those are left out. */
const errorExample = (code: string, { details, meaning }: ShownError) => {
  const recordedError = examples[`error_${code}`]
  const error = isRecord(recordedError) && isRecord(recordedError["error"]) ? recordedError["error"] : {}
  const own = isRecord(error["details"]) ? error["details"] : {}
  if (Object.keys(own).every((name) => details.has(name))) return exampleRef(`error_${code}`)
  const known = Object.fromEntries(Object.entries(own).filter(([name]) => details.has(name)))
  return { value: { error: { ...error, message: meaning, details: known } } }
}

/** Gives an answer its headers and examples, and lists its codes in words. */
const finishAnswer = (operation: string, entry: readonly [string, OpenApi.OpenApiSpecResponse], schemas: Shapes) => {
  const [status, answer] = entry
  const failing = errorsOf(operation, entry, schemas)
  const headers = headersOf(status)
  if (failing === null) {
    const content = exemplified(jsonOf(answer), `${operation}_${status}`)
    return { ...answer, headers, ...(answer.content === undefined ? {} : { content }) }
  }
  const { description, errors, schema } = failing
  const known = [...errors].filter(([code]) => `error_${code}` in examples)
  const named = Object.fromEntries(known.map(([code, error]) => [code, errorExample(code, error)]))
  return { description, headers, content: { "application/json": { schema, examples: named } } }
}

/** A parameter whose schema is shared takes its description from there. */
const finishParameter = (parameter: OpenApi.OpenAPISpecParameter, schemas: Document["components"]["schemas"]) => {
  const shared = schemas[nameOf(parameter.schema)]
  return shared?.description === undefined ? parameter : { ...parameter, description: shared.description }
}

const finishOperation = (operation: OpenApi.OpenAPISpecOperation, { components }: Document, schemas: Shapes) => {
  const { operationId, parameters, requestBody, responses } = operation
  const body = requestBody === undefined
    ? {}
    : { requestBody: { ...requestBody, content: exemplified(jsonOf(requestBody), `${operationId}_request`) } }
  return {
    ...operation,
    ...body,
    parameters: parameters.map((parameter) => finishParameter(parameter, components.schemas)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, finishAnswer(operationId, [status, answer], schemas)])
    )
  }
}

const operationsOf = ({ paths }: Document): ReadonlyArray<OpenApi.OpenAPISpecOperation> =>
  Object.values(paths).flatMap((operations) => Object.values(operations))

/** The shared schemas without those of the framework, with a discriminator in every union. */
const schemasOf = (spec: Document): Shapes => {
  const named = Object.entries(spec.components.schemas).map(([name, schema]) => [name, opened(schema) as Shape] as const)
  const own = withDiscriminators(Object.fromEntries(named))
  const envelopes = operationsOf(spec).flatMap(({ operationId, responses }) =>
    Object.entries(responses).map((entry) => errorsOf(operationId, entry, own)?.added ?? {})
  )
  return Object.assign({}, own, ...envelopes)
}

/** The error table as data, for software that reads the document. */
const errorTable = rows.map(({ code, status, retry, meaning }) => ({ code, status, retry, meaning }))

const descriptionOf = ({ info }: Document): string =>
  `${info.description ?? ""}\n\n## Errors\n\nEvery error is \`{"error": {code, message, details}}\`. ` +
  `Branch on \`code\`; \`details.retry\` says what helps. The page [/docs/errors.md](/docs/errors.md) has every code with its cause and remedy, ` +
  `and the field \`x-error-table\` of this document has the table.`

const pathsOf = (spec: Document, schemas: Shapes) =>
  Object.fromEntries(
    Object.entries(spec.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, finishOperation(operation, spec, schemas)]))
    ])
  )

/** Finishes the generated document: the service's own errors and headers in place of the framework's. */
export const finishDocument = (spec: Document): Record<string, unknown> => {
  const schemas = schemasOf(spec)
  const paths = opened(pathsOf(spec, schemas))
  const used = reached(paths, schemas)
  const shown = JSON.stringify(paths)
  return {
    ...spec,
    info: {
      ...spec.info,
      contact: { name: "The operator of this service" },
      license: { name: "None yet: all rights are reserved", identifier: "LicenseRef-All-Rights-Reserved" },
      description: descriptionOf(spec)
    },
    paths,
    components: {
      ...spec.components,
      headers,
      examples: Object.fromEntries(
        Object.entries(examples).filter(([name]) => shown.includes(`/${name}"`)).map(([name, value]) => [name, { value }])
      ),
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
    },
    "x-error-table": errorTable
  }
}

import type { OpenApi } from "@effect/platform"
import { nameOf, type Shape } from "../../api/DocumentSchemas.ts"
import recorded from "../../api/examples.json" with { type: "json" }
import type { SecurityScheme } from "../../api/Security.ts"
import { helpUrlOf } from "../../domain/Help.ts"
import type { Network } from "../../domain/Network.ts"
import { escaped, line, prose } from "../page/Html.ts"
import { fieldsOf, typeOf } from "./SchemaView.ts"
import { tryIt } from "./TryIt.ts"

/** A route of the OpenAPI document. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: OpenApi.OpenAPISpecOperation
}

/** The routes of the document, in its order. */
export const routesOf = ({ paths }: OpenApi.OpenAPISpec): ReadonlyArray<Route> =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

const examples: Readonly<Record<string, unknown>> = recorded

const json = "application/json"

const schemaIn = (content: OpenApi.OpenApiSpecContent | undefined): Shape | null => {
  const media = content?.[json]
  return media === undefined ? null : { ...media.schema }
}

const exampleText = (name: string): string | null => (name in examples ? JSON.stringify(examples[name], null, 2) : null)

const example = (name: string): string => {
  const text = exampleText(name)
  return text === null ? "" : `<p>Example:</p><pre>${escaped(text)}</pre>`
}

const folded = (summary: string, body: string): string => `<details><summary>${summary}</summary>${body}</details>`

const typeLine = (shape: Shape): string => `<p class="type">${typeOf(shape)}</p>`

const parametersOf = ({ parameters }: OpenApi.OpenAPISpecOperation): string =>
  parameters.length === 0 ?
    "" :
    `<h4>Parameters</h4><dl>${
      parameters.map((one) =>
        `<dt><code>${escaped(one.name)}</code> <span class="type">in the ${one.in}, ${typeOf({ ...one.schema })}</span>` +
        `${one.required ? "" : " <span class=\"need\">optional</span>"}</dt><dd>${line(one.description ?? "")}</dd>`
      ).join("")
    }</dl>`

/** The shared schemas, to show the fields of a body beside its route. */
export type SharedSchemas = Readonly<Record<string, Shape>>

const bodyOf = ({ operationId, requestBody }: OpenApi.OpenAPISpecOperation, schemas: SharedSchemas): string => {
  const shape = schemaIn(requestBody?.content)
  if (shape === null) return ""
  const fields = fieldsOf(schemas[nameOf(shape)] ?? shape)
  return folded("Body", `${typeLine(shape)}${fields}${example(`${operationId}_request`)}`)
}

const answerOf = (operationId: string, [status, { content, description }]: readonly [string, OpenApi.OpenApiSpecResponse]): string => {
  const shape = schemaIn(content)
  const types = Object.keys(content ?? {}).filter((type) => type !== json)
  const others = types.length === 0 ? "" : `<p>As <code>${types.map(escaped).join("</code>, <code>")}</code>.</p>`
  const type = shape === null ? "" : typeLine(shape)
  return folded(`Answer ${status}`, `${prose(description)}${type}${others}${example(`${operationId}_${status}`)}`)
}

/** The codes of an error answer, which its description lists one a paragraph. */
const codesOf = (description: string): ReadonlyArray<string> => [...description.matchAll(/^`(\w+)`: /gm)].flatMap(([, code]) => code ?? [])

const errorsOf = (answers: ReadonlyArray<readonly [string, OpenApi.OpenApiSpecResponse]>): string =>
  folded(
    "Errors",
    `<dl>${
      answers.map(([status, { description }]) =>
        `<dt><code>${status}</code></dt><dd>${
          codesOf(description).map((code) => `<a href="${helpUrlOf("error", code)}"><code>${code}</code></a>`).join(" ")
        }</dd>`
      ).join("")
    }</dl>`
  )

const tokenNames: Readonly<Record<SecurityScheme, string>> = {
  apiKey: "an API key",
  session: "the token of a session",
  closeSession: "the token of a session of the page <code>/close</code>",
  adminToken: "the operator's token for keys",
  metricsToken: "the operator's token for metrics"
}

const isNamed = (scheme: string): scheme is SecurityScheme => Object.hasOwn(tokenNames, scheme)

const securityOf = ({ security }: OpenApi.OpenAPISpecOperation): string => {
  const [scheme] = security.flatMap((one) => Object.keys(one))
  if (scheme === undefined) return "No token needed."
  if (!isNamed(scheme)) throw new Error(`the token ${scheme} has no name for people`)
  return `Needs ${tokenNames[scheme]}: <code>Authorization: Bearer ...</code>`
}

/** The anchor of a route. */
export const routeAnchor = ({ operation: { operationId } }: Route): string => `route-${operationId}`

const triedOn = (route: Route, networks: ReadonlyArray<Network>): string => {
  const { method, operation, path } = route
  const { operationId, parameters, requestBody, responses, security, summary = operationId } = operation
  if (method === "GET" && responses[200]?.content !== undefined && "text/html" in responses[200].content) {
    return `<p><a href="${path}">Open ${escaped(path)}</a></p>`
  }
  const body = requestBody === undefined ? null : exampleText(`${operationId}_request`) ?? "{}"
  const asked = parameters.map((one) => ({ ...one, description: one.description ?? "" }))
  return tryIt({ id: operationId, title: summary, method, path, parameters: asked, body, isKeyed: security.length > 0 }, networks)
}

/** A route: what it does, what it takes and answers, and a form to call it. */
export const routeView = (route: Route, schemas: SharedSchemas, networks: ReadonlyArray<Network>): string => {
  const { method, operation, path } = route
  const { description = "", operationId, responses, summary = operationId } = operation
  const answers = Object.entries(responses)
  const errors = answers.filter(([status, { description: text }]) => Number(status) >= 400 && codesOf(text).length > 0)
  const others = answers.filter((one) => !errors.includes(one))
  return [
    `<h3 id="${routeAnchor(route)}">${escaped(summary)}</h3>`,
    `<p class="route"><span class="method">${method}</span> <code>${escaped(path)}</code></p>`,
    prose(description),
    `<p class="quiet">${securityOf(operation)}</p>`,
    parametersOf(operation),
    bodyOf(operation, schemas),
    ...others.map((one) => answerOf(operationId, one)),
    errors.length === 0 ? "" : errorsOf(errors),
    triedOn(route, networks)
  ].join("\n")
}

import { OpenApi } from "@effect/platform"
import { FastCheck as fc } from "effect"
import { Api } from "../../../../src/api/Api.ts"
import { Conformance } from "./Conformance.ts"
import { NearlyValid, type Pools } from "./NearlyValid.ts"
import type { Document, Operation } from "./Shape.ts"

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
const { schemas } = document.components
const conformance = new Conformance(schemas)

/** A route with its operation in the document. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Every route of the document. */
export const routes: ReadonlyArray<Route> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
)

/** A request to a route. */
export interface FuzzedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** JSON; null without one. */
  readonly body: string | null
}

/** As a part of a URL, which cannot have half of a surrogate pair. */
const inUrl = (value: unknown): string =>
  encodeURIComponent(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString())

/** Requests to a route whose parameters and body match their schemas, or nearly do. */
export const requestsTo = ({ method, operation, path }: Route, pools: Pools): fc.Arbitrary<FuzzedRequest> => {
  const valid = new NearlyValid(schemas, pools)
  const parameters = fc.tuple(
    ...operation.parameters.map((parameter) =>
      fc.tuple(valid.of(parameter.schema), parameter.in === "path" ? fc.constant(true) : fc.boolean()).map(
        ([value, isThere]) => ({ ...parameter, value: inUrl(value), isThere })
      )
    )
  )
  const schema = operation.requestBody?.content["application/json"]?.schema
  const body = schema === undefined ? fc.constant(null) : valid.of(schema).map((value) => JSON.stringify(value))
  return fc.tuple(parameters, body)
    // A value that does not fit into a path segment selects another route.
    .filter(([all]) => all.every((one) => one.in !== "path" || !["", ".", ".."].includes(one.value)))
    .map(([all, text]) => {
      const filled = all.reduce((sum, one) => (one.in === "path" ? sum.replace(`{${one.name}}`, () => one.value) : sum), path)
      const query = all.filter((one) => one.in === "query" && one.isThere).map((one) => `${one.name}=${one.value}`)
      return { method, path: `${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`, body: text }
    })
}

/** The longest wait for an answer, in milliseconds. */
const patience = 60_000

/** Parts of an answer that the document does not allow, and effects that one request alone may not have. */
export const judged = async (
  { operation }: Pick<Route, "operation">,
  { body, method, path }: FuzzedRequest,
  { authorization, url }: { readonly url: string; readonly authorization: string }
): Promise<{ readonly status: number; readonly problems: ReadonlyArray<string> }> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...(body === null ? {} : { "content-type": "application/json" }) },
    signal: AbortSignal.timeout(patience),
    ...(body === null ? {} : { body })
  })
  const { status } = response
  const text = await response.text()
  const documented = operation.responses[String(status)]
  if (documented === undefined) return { status, problems: [`${status} is not documented: ${text.slice(0, 500)}`] }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? ""
  const content = documented.content ?? {}
  // A network that the operator does not serve is no failure.
  const failed = status >= 500 && !text.includes("\"code\":\"network_unavailable\"") ? [`${status}: ${text.slice(0, 500)}`] : []
  if (Object.keys(content).length === 0) return { status, problems: failed }
  const media = content[type]
  if (media === undefined) return { status, problems: [...failed, `${status} of the type ${type} is not documented`] }
  if (type !== "application/json" || media.schema === undefined) return { status, problems: failed }
  return { status, problems: [...failed, ...conformance.problems(JSON.parse(text), media.schema)] }
}

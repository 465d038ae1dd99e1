import type { HttpApiMiddleware } from "@effect/platform"
import { Context, Duration, Option, Schema } from "effect"
import { DeadlineSeconds, MaxBodyBytes } from "../../api/RouteLimits.ts"
import { ApiKeyAuth } from "../../api/Security.ts"

/** A schema whose types are of no interest here: what it decodes to goes to the router, which decodes again with types. */
type Decoder = Schema.Schema<unknown>

/** One route of the contract, with everything that must be known before its handler is reached. */
export interface Route {
  readonly method: string
  /** The path with its parameters by name: what is logged in place of the path itself. */
  readonly template: string
  readonly segments: ReadonlyArray<string>
  /** Served without any token. */
  readonly isPublic: boolean
  readonly needsKey: boolean
  readonly maxBodyBytes: number
  readonly deadline: Duration.Duration
  readonly path: Option.Option<Decoder>
  readonly query: Option.Option<Decoder>
  /** Names of all query parameters it knows. */
  readonly queryNames: ReadonlyArray<string>
  /** Names of the query parameters that must be there. */
  readonly required: ReadonlyArray<string>
  readonly body: Option.Option<Decoder>
}

const decoder = (schema: Option.Option<Schema.Schema.All>): Option.Option<Decoder> =>
  Option.map(schema, ({ ast }) => Schema.make<unknown>(ast))

const parametersOf = (schema: Option.Option<Schema.Schema.All>) => {
  const ast = Option.getOrNull(schema)?.ast
  return ast?._tag === "TypeLiteral" ? ast.propertySignatures : []
}

/** The segments of a path, without empty ones: a slash at the end or twice in a row changes nothing. */
export const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly annotations: Context.Context<never>
  readonly pathSchema: Option.Option<Schema.Schema.All>
  readonly urlParamsSchema: Option.Option<Schema.Schema.All>
  readonly payloadSchema: Option.Option<Schema.Schema.All>
}

/** What an endpoint of the contract says about its route. */
export const routeOf = (
  endpoint: Endpoint,
  middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>
): Route => ({
  method: endpoint.method,
  template: endpoint.path,
  segments: segmentsOf(endpoint.path),
  isPublic: middleware.size === 0,
  needsKey: [...middleware].some(({ key }) => key === ApiKeyAuth.key),
  maxBodyBytes: Context.get(endpoint.annotations, MaxBodyBytes),
  deadline: Duration.seconds(Context.get(endpoint.annotations, DeadlineSeconds)),
  path: decoder(endpoint.pathSchema),
  query: decoder(endpoint.urlParamsSchema),
  queryNames: parametersOf(endpoint.urlParamsSchema).map(({ name }) => String(name)),
  required: parametersOf(endpoint.urlParamsSchema).filter(({ isOptional }) => !isOptional).map(({ name }) => String(name)),
  body: decoder(endpoint.payloadSchema)
})

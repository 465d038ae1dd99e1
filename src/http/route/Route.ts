import type { HttpApiMiddleware, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Duration, type Effect, type Either, Option, type ParseResult, Schema } from "effect"
import { BodyOptional, DeadlineSeconds, MaxBodyBytes, Unlimited } from "../../api/RouteLimits.ts"
import { ApiKeyAuth } from "../../api/Security.ts"
import { lazily } from "../../fibers/Lazily.ts"
import { type DecodeParameters, decodeParameters, propertiesOf } from "./DecodeParameters.ts"
import type { Guard } from "./Guard.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A request whose parts were decoded, each once. A part that the endpoint does not declare is undefined. */
export interface Decoded {
  readonly request: Request
  readonly path: unknown
  readonly urlParams: unknown
  readonly payload: unknown
}

/** Answers a request that passed every check before the handler. */
export type Answer = (decoded: Decoded) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Request>

/** One route of the contract, with everything that must be known before its handler is reached, and the handler. */
export interface Route {
  readonly method: string
  /** The path with its parameters by name: what is logged in place of the path itself. */
  readonly template: string
  readonly segments: ReadonlyArray<string>
  /** Served without any token. */
  readonly isPublic: boolean
  readonly needsKey: boolean
  /** Requests to it count against no rate. */
  readonly isUnlimited: boolean
  /** What every middleware of the route asks for, before anything of the request is decoded. */
  readonly guard: Guard
  readonly maxBodyBytes: number
  readonly deadline: Duration.Duration
  readonly decodePath: DecodeParameters
  readonly decodeQuery: DecodeParameters
  /** Names of all query parameters it knows. */
  readonly queryNames: ReadonlyArray<string>
  /** Names of the query parameters that must be there. */
  readonly required: ReadonlyArray<string>
  /** None where the endpoint takes no body. */
  readonly decodeBody: Option.Option<DecodeBody>
  /** No body stands for an empty object. */
  readonly isBodyOptional: boolean
  readonly answer: Answer
}

/** Decodes a body that was JSON. */
type DecodeBody = (body: unknown) => Either.Either<unknown, ParseResult.ParseError>

/** A field that does not exist is refused, and every wrong place is named. */
const strictly = { errors: "all", onExcessProperty: "error" } as const

const bodyDecoder = ({ ast }: Schema.Schema.All): DecodeBody => {
  const decode = lazily(() => Schema.decodeUnknownEither(Schema.make<unknown>(ast), strictly))
  return (body) => decode()(body)
}

/** The segments of a path, without empty ones: a slash at the end or twice in a row changes nothing. */
export const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** What is looked at of an endpoint. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly annotations: Context.Context<never>
  readonly pathSchema: Option.Option<Schema.Schema.All>
  readonly urlParamsSchema: Option.Option<Schema.Schema.All>
  readonly payloadSchema: Option.Option<Schema.Schema.All>
  readonly successSchema: Schema.Schema.Any
}

/** The route of an endpoint of the contract. */
export const routeOf = (
  endpoint: Endpoint,
  middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>,
  { answer, guard }: Pick<Route, "answer" | "guard">
): Route => ({
  method: endpoint.method,
  template: endpoint.path,
  segments: segmentsOf(endpoint.path),
  isPublic: middleware.size === 0,
  needsKey: [...middleware].some(({ key }) => key === ApiKeyAuth.key),
  isUnlimited: Context.get(endpoint.annotations, Unlimited),
  guard,
  maxBodyBytes: Context.get(endpoint.annotations, MaxBodyBytes),
  deadline: Duration.seconds(Context.get(endpoint.annotations, DeadlineSeconds)),
  decodePath: decodeParameters(endpoint.pathSchema),
  decodeQuery: decodeParameters(endpoint.urlParamsSchema),
  queryNames: propertiesOf(endpoint.urlParamsSchema).map(({ name }) => String(name)),
  required: propertiesOf(endpoint.urlParamsSchema).filter(({ isOptional }) => !isOptional).map(({ name }) => String(name)),
  decodeBody: Option.map(endpoint.payloadSchema, bodyDecoder),
  isBodyOptional: Context.get(endpoint.annotations, BodyOptional),
  answer
})

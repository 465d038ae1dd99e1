import { HttpApi, HttpApiError, type HttpApiGroup, HttpApiMiddleware } from "@effect/platform"
import { Context, Duration, Effect, Option, Schema, type SchemaAST } from "effect"
import { Checked } from "../../api/Checked.ts"
import { type Refusal, refusalOf } from "../../api/Parameter.ts"
import { BodyOptional, CarriesSecret, DeadlineSeconds, MaxBodyBytes, SameOrigin, Unlimited } from "../../api/RouteLimits.ts"
import { ApiKeyAuth } from "../../api/Security.ts"
import { segmentsOf } from "./Target.ts"

/** What the contract says of one route, besides what the platform asks it for. */
export interface Place {
  readonly method: string
  /** The path with its parameters by name: what is logged in place of the path itself. */
  readonly template: string
  readonly segments: ReadonlyArray<string>
  /** Served without any token, so that pages of other origins may read it, if the operator names them. */
  readonly isOpenToOrigins: boolean
  readonly needsKey: boolean
  /** Requests to it count against no rate. */
  readonly isUnlimited: boolean
  readonly maxBodyBytes: number
  /** No body stands for an empty object. */
  readonly isBodyOptional: boolean
  /** It answers with a key or a token. */
  readonly carriesSecret: boolean
  readonly deadline: Duration.Duration
  /** Fails where its path is wrong. */
  readonly checkPath: (params: unknown) => Effect.Effect<unknown, HttpApiError.HttpApiDecodeError>
  /** The failures of its parameters, by their names. */
  readonly refusals: ReadonlyMap<string, Refusal>
  /** Names of all query parameters it knows. */
  readonly queryNames: ReadonlyArray<string>
  /** Names of the query parameters that must be there. */
  readonly required: ReadonlyArray<string>
}

/** The route that is being answered. */
export class CurrentPlace extends Context.Tag("closeout/http/CurrentPlace")<CurrentPlace, Place>() {}

type Declared = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

/** The parameters that a path or query may hold. */
const propertiesOf = (schema: Option.Option<Schema.Schema.All>): ReadonlyArray<SchemaAST.PropertySignature> => {
  const ast = Option.getOrNull(schema)?.ast
  return ast?._tag === "TypeLiteral" ? ast.propertySignatures : []
}

/** The tokens that a route asks for. What is none of a bearer, or no check before them, ends the start: nothing stands open. */
const tokensOf = ({ endpoint, middleware: [first, ...tokens] }: Declared): ReadonlyArray<HttpApiMiddleware.TagClassAny> => {
  if (first?.key !== Checked.key) throw new Error(`${endpoint.path} does not name ${Checked.key} before its tokens`)
  for (const tag of tokens) {
    if (!HttpApiMiddleware.isSecurity(tag) || tag.optional) throw new Error(`${tag.key} is no check of a token`)
    for (const [name, { _tag }] of Object.entries(tag.security)) {
      if (_tag !== "Bearer") throw new Error(`${tag.key} has no check of a bearer token ${name}`)
    }
  }
  return tokens
}

const checking = (schema: Option.Option<Schema.Schema.All>): Place["checkPath"] => {
  if (Option.isNone(schema)) return () => Effect.void
  const decode = Schema.decodeUnknown(Schema.make<unknown>(schema.value.ast))
  return (params) => Effect.catchAll(decode(params), HttpApiError.HttpApiDecodeError.refailParseError)
}

const placeOf = (declared: Declared): Place => {
  const { annotations, method, path, pathSchema, payloadSchema, urlParamsSchema } = declared.endpoint
  const [inPath, inQuery] = [propertiesOf(pathSchema), propertiesOf(urlParamsSchema)]
  const tokens = tokensOf(declared)
  return {
    method,
    template: path,
    segments: segmentsOf(path),
    isOpenToOrigins: tokens.length === 0 && !Context.get(annotations, SameOrigin),
    needsKey: tokens.some(({ key }) => key === ApiKeyAuth.key),
    isUnlimited: Context.get(annotations, Unlimited),
    maxBodyBytes: Context.get(annotations, MaxBodyBytes),
    isBodyOptional: Option.isNone(payloadSchema) || Context.get(annotations, BodyOptional),
    carriesSecret: Context.get(annotations, CarriesSecret),
    deadline: Duration.seconds(Context.get(annotations, DeadlineSeconds)),
    checkPath: checking(pathSchema),
    refusals: new Map([...inPath, ...inQuery].map(({ name, type }) => [String(name), Option.getOrThrow(refusalOf(type))])),
    queryNames: inQuery.map(({ name }) => String(name)),
    required: inQuery.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name))
  }
}

/** Every route of an API. */
export const placesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  HttpApi.reflect(api, { onGroup: () => {}, onEndpoint: (declared) => void places.push(placeOf(declared)) })
  return places
}

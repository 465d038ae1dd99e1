import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { Checked } from "../../api/Checked.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import { BadRequest, InvalidNetwork, SecretKeyRefused } from "../../domain/failure/Input.ts"
import { nearestName } from "../../domain/NearestName.ts"
import { Network } from "../../domain/Network.ts"
import { checkDeclaredBody } from "../request/Body.ts"
import { holdsSecretSeed } from "../request/SecretSeeds.ts"
import { CurrentPlace, type Place } from "./Place.ts"

const isNetwork = Schema.is(Network)

function* anyHoldsSeed(texts: Iterable<string>): Generator<number, boolean> {
  for (const text of texts) {
    if (yield* holdsSecretSeed(text)) return true
  }
  return false
}

/** A name that a route with a key does not know, or what is wrong with the path before it; keyless routes ignore such names. */
const checkNames = ({ checkPath, needsKey, queryNames }: Place, params: unknown, names: ReadonlyArray<string>) => {
  const unknown = needsKey ? names.find((name) => !queryNames.includes(name)) : undefined
  if (unknown === undefined) return Effect.void
  const meant = nearestName(unknown, queryNames)
  const known = meant === null ? "This route takes no query parameters." : `The nearest one of this route is ${meant}.`
  return Effect.zipRight(checkPath(params), new BadRequest({ reason: `This query parameter does not exist. ${known}` }))
}

/** Between the token and the rest of the parameters: declared size and type, network, secret seeds, names of the query. */
const checks = Effect.gen(function*() {
  const place = yield* CurrentPlace
  const { params } = yield* HttpRouter.RouteContext
  const query = yield* HttpServerRequest.ParsedSearchParams
  if (place.method !== "GET") yield* checkDeclaredBody(yield* HttpServerRequest.HttpServerRequest, place.maxBodyBytes)
  const { network } = params
  if (network !== undefined && !isNetwork(network)) return yield* new InvalidNetwork()
  const texts = [...Object.values(params), ...Object.entries(query).flat(2)].map(String)
  if (texts.length > 0 && (yield* inTurns(() => anyHoldsSeed(texts)))) return yield* new SecretKeyRefused()
  yield* checkNames(place, params, Object.keys(query))
})

/** The checks, as the platform runs them. It knows nothing of their failures, which go through it as they are. */
export const layer: Layer.Layer<Checked> = Layer.succeed(Checked, checks as Effect.Effect<void, never, HttpRouter.HttpRouter.Provided>)

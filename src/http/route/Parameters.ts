import { Effect, Either } from "effect"
import { inTurns } from "../../chain/pace/Turns.ts"
import { BadRequest, MissingParameters, SecretKeyRefused } from "../../domain/failure/Input.ts"
import { nearestName } from "../../domain/NearestName.ts"
import { holdsSecretSeed } from "../request/SecretSeeds.ts"
import type { Route } from "./Route.ts"
import type { Found } from "./RouteTable.ts"
import { parametersOf, type Target } from "./Target.ts"

/** A name that a route with a key does not know; keyless routes ignore those. */
const checkNames = ({ needsKey, queryNames }: Route, { query }: Pick<Target, "query">) => {
  const unknown = needsKey ? [...query.keys()].find((name) => !queryNames.includes(name)) : undefined
  if (unknown === undefined) return Effect.void
  const meant = nearestName(unknown, queryNames)
  const known = meant === null ? "This route takes no query parameters." : `The nearest that this route knows is ${meant}.`
  return new BadRequest({ reason: `A query parameter of that name does not exist. ${known}` })
}

function* anyHoldsSeed(texts: Iterable<string>): Generator<number, boolean> {
  for (const text of texts) {
    if (yield* holdsSecretSeed(text)) return true
  }
  return false
}

/**
 * What path and query decode to. The network of the path is looked at first, then the rest of the path, then the query: each wrong one has
 * its own failure. A secret seed among them refuses all, unless the network is wrong already.
 */
export const decodedParameters = Effect.fnUntraced(function*({ params, route }: Found, { query }: Target) {
  const path = route.decodePath(params)
  if (Either.isLeft(path) && path.left._tag === "InvalidNetwork") return yield* path.left
  const texts = [...Object.values(params), ...query.keys(), ...query.values()]
  if (texts.length > 0 && (yield* inTurns(() => anyHoldsSeed(texts)))) return yield* new SecretKeyRefused()
  const decoded = yield* path
  yield* checkNames(route, { query })
  const missing = route.required.filter((name) => (query.get(name) ?? "") === "")
  if (missing.length > 0) return yield* new MissingParameters({ missing })
  return { path: decoded, urlParams: yield* route.decodeQuery(parametersOf(query)) }
})

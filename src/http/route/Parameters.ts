import { Effect, Either, Option, ParseResult, Schema } from "effect"
import { accountAddressProblem } from "../../domain/Address.ts"
import {
  BadRequest,
  InvalidAddress,
  InvalidAmount,
  InvalidAsset,
  InvalidHash,
  InvalidNetwork,
  InvalidSlippage,
  InvalidSpender,
  InvalidTokens,
  MissingParameters,
  SecretKeyRefused
} from "../../domain/failure/Input.ts"
import { nearestName } from "../../domain/NearestName.ts"
import { Network } from "../../domain/Network.ts"
import { inTurns } from "../../chain/Turns.ts"
import { holdsSecretSeed } from "../request/SecretSeeds.ts"
import type { Route } from "./Route.ts"
import type { Found } from "./RouteTable.ts"
import { parametersOf, type Target } from "./Target.ts"

const cut = (text: string): string => text.slice(0, 100)

/** The failure for a parameter, by its name. */
const failureOf = (name: string, value: unknown, problem: string) => {
  const text = typeof value === "string" ? value : ""
  switch (name) {
    case "address":
      return new InvalidAddress({ reason: accountAddressProblem(text) })
    case "hash":
      return new InvalidHash()
    case "tokens":
      return new InvalidTokens({ reason: typeof value === "string" ? problem : "Give tokens once, as one comma-separated list." })
    case "spenders":
      return new InvalidSpender()
    case "fromAsset":
      return new InvalidAsset({ asset: cut(text) })
    case "amount":
      return new InvalidAmount()
    case "maxSlippageBps":
      return new InvalidSlippage()
    default:
      return new BadRequest({ reason: `The parameter ${name} cannot be used. See /openapi.json for what it may hold.` })
  }
}

/** Decodes named texts; the first that is wrong gives its own failure. */
const check = (schema: Option.Option<Schema.Schema<unknown>>, values: Readonly<Record<string, unknown>>) => {
  if (Option.isNone(schema)) return Effect.void
  const outcome = Schema.decodeUnknownEither(schema.value)(values)
  if (Either.isRight(outcome)) return Effect.void
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(outcome.left)
  const name = String(issue?.path[0] ?? "")
  return Effect.fail(failureOf(name, values[name], issue?.message ?? ""))
}

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

/** The network of the path, then the path, then the query: each wrong one by its own code. A secret seed among them refuses all. */
export const checkParameters = Effect.fn("Parameters.check")(function*({ params, route }: Found, { query }: Target) {
  if (params["network"] !== undefined && !Schema.is(Network)(params["network"])) return yield* new InvalidNetwork()
  const texts = [...Object.values(params), ...query.keys(), ...query.values()]
  if (yield* inTurns(() => anyHoldsSeed(texts))) return yield* new SecretKeyRefused()
  yield* check(route.path, params)
  yield* checkNames(route, { query })
  const missing = route.required.filter((name) => (query.get(name) ?? "") === "")
  if (missing.length > 0) return yield* new MissingParameters({ missing })
  yield* check(route.query, parametersOf(query))
})

import { Effect, Schema } from "effect"
import { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { InvalidRateLimit } from "../../domain/failure/Input.ts"
import { KeyManagement } from "../../keys/KeyManagement.ts"
import type { Manager } from "../../keys/KeyTable.ts"
import type { Handlers } from "./Handlers.ts"
import { termsOf } from "./KeyTerms.ts"

const operator: Manager = { _tag: "Operator" }

const isRate = Schema.is(RateLimitSetting)

const rateOf = (given: { readonly limit: number; readonly windowSeconds: number } | undefined) => {
  if (given === undefined) return Effect.succeed(null)
  return isRate(given) ? Effect.succeed(given) : Effect.fail(new InvalidRateLimit())
}

/** Handlers of the group `admin`. */
export const admin = Effect.map(KeyManagement, (keys): Handlers["admin"] => ({
  create: ({ payload: { owner, rateLimit, ...given } }) =>
    Effect.flatMap(
      Effect.all([rateOf(rateLimit), termsOf(given)]),
      ([own, terms]) => keys.createAny({ owner, rateLimit: own }, terms)
    ),
  list: ({ urlParams: { owner = null, unusedDays = null } }) =>
    Effect.map(keys.list(operator, { owner, unusedDays }), (found) => ({ keys: found })),
  revoke: ({ path }) => Effect.map(keys.revoke(operator, path.id), (record) => ({ record })),
  rotate: ({ path, payload }) => keys.rotate(operator, path.id, payload.graceSeconds)
}))

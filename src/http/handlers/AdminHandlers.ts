import { Effect, Schema } from "effect"
import { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { InvalidRateLimit } from "../../domain/failure/Input.ts"
import { KeyManagement } from "../../keys/KeyManagement.ts"
import type { Manager } from "../../keys/KeyTable.ts"
import type { Handlers } from "./Handlers.ts"

const operator: Manager = { _tag: "Operator" }

const isRate = Schema.is(RateLimitSetting)

const rateOf = (given: { readonly limit: number; readonly windowSeconds: number } | undefined) => {
  if (given === undefined) return Effect.succeed(null)
  return isRate(given) ? Effect.succeed(given) : Effect.fail(new InvalidRateLimit())
}

/** Handlers of the group `admin`. */
export const admin = Effect.map(KeyManagement, (keys): Handlers["admin"] => ({
  create: ({ payload }) => Effect.flatMap(rateOf(payload.rateLimit), (rateLimit) => keys.createAny({ owner: payload.owner, rateLimit })),
  list: ({ urlParams }) => Effect.map(keys.list(operator, urlParams.owner ?? null), (found) => ({ keys: found })),
  revoke: ({ path }) => Effect.map(keys.revoke(operator, path.id), (record) => ({ record })),
  rotate: ({ path }) => keys.rotate(operator, path.id)
}))

import { HttpApiBuilder } from "@effect/platform"
import { Effect, Schema } from "effect"
import { CreateKeyBody } from "../../api/Admin.ts"
import { Api } from "../../api/Api.ts"
import { KeyList } from "../../api/KeyRecords.ts"
import { RotateKeyBody } from "../../api/KeyRequests.ts"
import { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { InvalidRateLimit } from "../../domain/failure/Input.ts"
import { KeyManagement } from "../../keys/KeyManagement.ts"
import type { Manager } from "../../keys/KeyTable.ts"
import { withBody, withoutBody } from "../request/Body.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"
import { termsOf } from "./KeyTerms.ts"

const operator: Manager = { _tag: "Operator" }

const isRate = Schema.is(RateLimitSetting)

const rateOf = (given: { readonly limit: number; readonly windowSeconds: number } | undefined) => {
  if (given === undefined) return Effect.succeed(null)
  return isRate(given) ? Effect.succeed(given) : Effect.fail(new InvalidRateLimit())
}

const listed = answerInParts(KeyList)

/** Handlers of the group `admin`. */
export const layer = HttpApiBuilder.group(Api, "admin", (handlers) =>
  Effect.map(KeyManagement, (keys) =>
    handlers
      .handleRaw(
        "create",
        withBody(CreateKeyBody, ({ payload: { owner, rateLimit, ...given } }) =>
          Effect.flatMap(
            Effect.all([rateOf(rateLimit), termsOf(given)]),
            ([own, terms]) => keys.createAny({ owner, rateLimit: own }, terms)
          ))
      )
      .handle("list", ({ urlParams: { owner = null, unusedDays = null } }) =>
        Effect.flatMap(keys.list(operator, { owner, unusedDays }), (found) => listed({ keys: found })))
      .handleRaw(
        "revoke",
        withoutBody(({ path }) =>
          Effect.map(keys.revoke(operator, path.id), (record) => ({ record }))
        )
      )
      .handleRaw("rotate", withBody(RotateKeyBody, ({ path, payload }) => keys.rotate(operator, path.id, payload.graceSeconds)))))

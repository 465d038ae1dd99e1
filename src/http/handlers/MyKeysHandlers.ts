import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { KeyList } from "../../api/KeyRecords.ts"
import { CreateMyKeyBody, RotateKeyBody } from "../../api/KeyRequests.ts"
import { KeyManagement } from "../../keys/KeyManagement.ts"
import { everyKey, type Person } from "../../keys/KeyTable.ts"
import { SelfService } from "../../keys/SelfService.ts"
import { selfServiceBound } from "../rate/SelfServiceBound.ts"
import { withBody, withoutBody } from "../request/Body.ts"
import { sessionIn } from "../SessionBearer.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"
import { termsOf } from "./KeyTerms.ts"

const listed = answerInParts(KeyList)

type Request = HttpServerRequest.HttpServerRequest

/** Whose keys they are is read from the session, and from nothing else that was sent. */
const whose = Effect.gen(function*() {
  const selfService = yield* SelfService
  const bounded = yield* selfServiceBound
  const person = (request: Request) =>
    Effect.map(sessionIn(selfService, request), ({ address, network }): Person => ({ _tag: "Person", address, network }))
  return { person, maker: (request: Request) => Effect.zipLeft(person(request), bounded("keys", request)) }
})

/** Handlers of the group `myKeys`. */
export const layer = HttpApiBuilder.group(
  Api,
  "myKeys",
  (handlers) =>
    Effect.map(Effect.all([KeyManagement, whose]), ([keys, { maker, person }]) =>
      handlers
        .handle(
          "list",
          ({ request }) =>
            Effect.flatMap(Effect.flatMap(person(request), (one) => keys.list(one, everyKey)), (found) => listed({ keys: found }))
        )
        .handleRaw(
          "create",
          withBody(
            CreateMyKeyBody,
            ({ payload, request }) =>
              Effect.flatMap(termsOf(payload), (terms) => Effect.flatMap(maker(request), (one) => keys.createOwn(one, terms)))
          )
        )
        .handleRaw(
          "rotate",
          withBody(
            RotateKeyBody,
            ({ path, payload, request }) => Effect.flatMap(maker(request), (one) => keys.rotate(one, path.id, payload.graceSeconds))
          )
        )
        .handleRaw(
          "revoke",
          withoutBody(({ path, request }) =>
            Effect.map(Effect.flatMap(person(request), (one) => keys.revoke(one, path.id)), (record) => ({ record }))
          )
        ))
)

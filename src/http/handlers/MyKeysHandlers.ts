import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { KeyManagement } from "../../keys/KeyManagement.ts"
import { everyKey, type Person } from "../../keys/KeyTable.ts"
import { SelfService } from "../../keys/SelfService.ts"
import { selfServiceBound } from "../rate/SelfServiceBound.ts"
import { sessionIn } from "../SessionBearer.ts"
import type { Handlers } from "./Handlers.ts"
import { termsOf } from "./KeyTerms.ts"

/** Handlers of the group `myKeys`. Whose keys they are is read from the session, and from nothing else that was sent. */
export const myKeys = Effect.gen(function*() {
  const keys = yield* KeyManagement
  const selfService = yield* SelfService
  const bounded = yield* selfServiceBound
  const person = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.map(sessionIn(selfService, request), ({ address, network }): Person => ({ _tag: "Person", address, network }))
  const maker = (request: HttpServerRequest.HttpServerRequest) => Effect.zipLeft(person(request), bounded("keys", request))
  const handlers: Handlers["myKeys"] = {
    list: ({ request }) => Effect.map(Effect.flatMap(person(request), (one) => keys.list(one, everyKey)), (found) => ({ keys: found })),
    create: ({ payload, request }) =>
      Effect.flatMap(termsOf(payload), (terms) => Effect.flatMap(maker(request), (one) => keys.createOwn(one, terms))),
    rotate: ({ path, payload, request }) => Effect.flatMap(maker(request), (one) => keys.rotate(one, path.id, payload.graceSeconds)),
    revoke: ({ path, request }) => Effect.map(Effect.flatMap(person(request), (one) => keys.revoke(one, path.id)), (record) => ({ record }))
  }
  return handlers
})

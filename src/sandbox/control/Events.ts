import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { NetworkEvent } from "../events/NetworkEvent.ts"
import { Problem } from "../rest/Problem.ts"
import { controlBody } from "./ControlBody.ts"

const Body = Schema.Struct({ event: NetworkEvent })

/** `POST /sandbox/events`: lets something happen, and answers the ledger and the transaction it happened in. */
export const happening = HttpRouter.makeRoute(
  "POST",
  "/sandbox/events",
  Effect.gen(function*() {
    const { event } = yield* controlBody(Body)
    const happened = yield* Effect.mapError(
      event.happen(),
      ({ message }) => new Problem({ status: 409, type: "event_refused", title: "Event Refused", detail: message })
    )
    return HttpServerResponse.unsafeJson(happened)
  })
)

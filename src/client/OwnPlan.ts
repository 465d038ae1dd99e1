import type { HttpClient } from "@effect/platform"
import { Effect } from "effect"
import type { Plan } from "../domain/Plan.ts"
import { type Agreement, sentDecisions } from "./Agreement.ts"
import type { CloseFailure } from "./ClientFailure.ts"
import { Closing } from "./Closing.ts"
import { called, Service } from "./ServiceClient.ts"

/** A plan of the caller's own service, by the decisions of an agreement. */
export const ownPlan = (agreement: Agreement): Effect.Effect<Plan, CloseFailure, Closing | Service | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { request, retrying, settings: { network } } = yield* Closing
    const { close } = yield* Service
    return yield* retrying(called(close.plan({ path: { network }, payload: { ...request, decisions: sentDecisions(agreement) } })))
  })

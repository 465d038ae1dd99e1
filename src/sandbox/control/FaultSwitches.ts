import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { faultKinds } from "../faults/Catalogue.ts"
import { FaultRule } from "../faults/FaultRule.ts"
import type { ActiveFault } from "../faults/Faults.ts"
import { Network } from "../Network.ts"
import { Problem } from "../rest/Problem.ts"
import { controlBody } from "./ControlBody.ts"

const show = ({ id, left, met, rule }: ActiveFault) => ({ id, left, met, rule: Schema.encodeSync(FaultRule)(rule) })

const shown = Effect.flatMap(
  Network,
  ({ faults }) => Effect.map(faults.all, (active) => HttpServerResponse.unsafeJson({ faults: active.map(show) }))
)

/** `POST /sandbox/faults`: puts a rule in force and answers its id. */
export const setFault = HttpRouter.makeRoute(
  "POST",
  "/sandbox/faults",
  Effect.gen(function*() {
    const rule = yield* controlBody(FaultRule)
    const { faults } = yield* Network
    return HttpServerResponse.unsafeJson({ id: yield* faults.set(rule) }, { status: 201 })
  })
)

/** `GET /sandbox/faults`: the rules in force, how often each has bitten and still will (null: until it is cleared). */
export const showFaults = HttpRouter.makeRoute("GET", "/sandbox/faults", shown)

/** `GET /sandbox/faults/kinds`: every fault there is, what it does and how a rule writes it. */
export const showFaultKinds = HttpRouter.makeRoute(
  "GET",
  "/sandbox/faults/kinds",
  Effect.sync(() => HttpServerResponse.unsafeJson({ kinds: faultKinds() }))
)

/** `DELETE /sandbox/faults`: clears them all. */
export const clearFaults = HttpRouter.makeRoute(
  "DELETE",
  "/sandbox/faults",
  Effect.flatMap(Network, ({ faults }) => Effect.zipRight(faults.clear(), shown))
)

/** `DELETE /sandbox/faults/{id}`: clears one. */
export const clearFault = HttpRouter.makeRoute(
  "DELETE",
  "/sandbox/faults/:id",
  Effect.gen(function*() {
    const { id } = yield* HttpRouter.schemaPathParams(Schema.Struct({ id: Schema.NumberFromString }))
    const { faults } = yield* Network
    if (!(yield* faults.clear(id))) return yield* Problem.notFound
    return yield* shown
  })
)

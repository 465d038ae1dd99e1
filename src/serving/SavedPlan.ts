import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Data, Effect, Layer, Option, Schema } from "effect"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { CloseRequest, Plan } from "../domain/Plan.ts"
import { recorded } from "../proof/Recorded.ts"
import { bundleText, replayed } from "../proof/Replay.ts"
import { registry } from "../Server.ts"
import { Serving } from "./Serving.ts"
import type { SettingFailure } from "./Settings.ts"
import * as SourceClient from "./SourceClient.ts"

const encodeRequest = Schema.encodeSync(CloseRequest)
const readPlan = Schema.decodeSync(Schema.parseJson(Plan))

/** There is no plan to save, or its file would not give it again. */
export class PlanNotSaved extends Data.TaggedError("PlanNotSaved")<{ readonly reason: string; readonly mayPass: boolean }> {
  override get message() {
    return this.reason
  }
}

/** A plan, and the file that it can be computed again from. */
export interface SavedPlan {
  readonly plan: Plan
  readonly file: string
}

/** Why there is none. */
export type SavedPlanFailure = NetworkUnavailable | PlanNotSaved | SettingFailure | Layer.Layer.Error<typeof Serving.layer>

/**
 * Plans a close in this process, by the settings that `Serving` is of, and records everything that the plan was computed from. It is computed
 * once more from the record before it counts as saved.
 */
export const savedPlan = (network: Network, request: CloseRequest): Effect.Effect<SavedPlan, SavedPlanFailure, Serving> =>
  Effect.gen(function*() {
    const { networks } = yield* Serving
    const served = networks.find(({ address }) => address.network === network)
    if (served === undefined) return yield* new NetworkUnavailable({ network })
    const { outcome, ...record } = yield* recorded(served, { operation: "plan", request: encodeRequest(request) })
    if (outcome._tag === "Failure") return yield* new PlanNotSaved({ reason: outcome.reason, mayPass: false })
    const bundle = { ...record, answer: outcome.text }
    const again = yield* replayed(bundle, served.protocols === undefined ? {} : { protocols: served.protocols })
    if (again._tag !== "Same") {
      const why = again._tag === "Different" ? again.parts.join("; ") : `it lacks ${again.question.method} ${again.question.url}`
      return yield* new PlanNotSaved({ reason: `The plan cannot be computed again from its record: ${why}. Run it again.`, mayPass: true })
    }
    const saved: SavedPlan = { plan: readPlan(outcome.text), file: bundleText(bundle) }
    return saved
  }).pipe(Effect.provide(Layer.provideMerge(Layer.merge(registry, SourceClient.layer), NodeFileSystem.layer)))

/** The same of a network that settings of this process name, as a service would serve it. */
export const savedPlanBySettings = (network: Network, request: CloseRequest): Effect.Effect<SavedPlan, SavedPlanFailure> =>
  Effect.flatMap(
    NetworkSettings.config(network),
    (address): Effect.Effect<SavedPlan, SavedPlanFailure> =>
      Option.isNone(address) ? Effect.fail(new NetworkUnavailable({ network })) : Effect.provide(savedPlan(network, request), Serving.layer)
  )

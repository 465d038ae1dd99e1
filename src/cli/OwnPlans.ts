import { Effect } from "effect"
import type { CloseRequest } from "../domain/Plan.ts"
import type { SavedPlan, SavedPlanFailure } from "../serving/SavedPlan.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"
import { type ConnectionInput, embeddedService } from "./Connection.ts"
import { loaded } from "./Loaded.ts"

const failed = (network: string) => (failure: SavedPlanFailure) =>
  failure._tag === "NetworkUnavailable"
    ? wrongInput(
      `No source of ${network} is known. Set ${network.toUpperCase()}_RPC_URLS and ${network.toUpperCase()}_LEDGER_API_URLS, or add --embedded.`
    )
    : new CommandFailed({
      code: "plan_not_saved",
      reason: failure._tag === "PlanNotSaved" ? failure.message : `A setting cannot be used: ${String(failure)}`,
      retry: failure._tag === "PlanNotSaved" && failure.mayPass ? "after_delay" : "after_fix"
    })

/**
 * Plans that this process computes and records itself: from the sources that the settings of a service name, or from a sandbox of its own.
 * Lives until the scope closes.
 */
export const ownPlans = (input: ConnectionInput) =>
  Effect.gen(function*() {
    if (input.embedded) {
      const { prepared, service } = yield* embeddedService(input)
      return { prepared, plan: (request: CloseRequest) => Effect.mapError(service.savedPlan(request), failed("testnet")) }
    }
    const { savedPlanBySettings } = yield* loaded("Plans are computed", () => import("../serving/SavedPlan.ts"))
    return {
      prepared: null,
      plan: (request: CloseRequest): Effect.Effect<SavedPlan, CommandFailed> =>
        Effect.mapError(savedPlanBySettings(input.network, request), failed(input.network))
    }
  })

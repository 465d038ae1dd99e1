import { Effect } from "effect"
import type { CloseRequest } from "../../../src/domain/Plan.ts"
import { readBundle } from "../../../src/proof/Replay.ts"
import { savedPlan } from "../../../src/serving/SavedPlan.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { Service } from "../../close/support/Service.ts"

/** A plan that a test service saves in its process, from its sources or from others, and the plan's file. */
export const saved = (request: CloseRequest, from?: Serving["Type"]) =>
  Effect.gen(function*() {
    const { serving } = yield* Service
    const { file, plan } = yield* Effect.provideService(savedPlan("testnet", request), Serving, from ?? serving)
    return { file, plan, bundle: yield* readBundle(file) }
  })

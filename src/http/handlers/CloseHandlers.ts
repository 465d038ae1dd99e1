import { Effect } from "effect"
import { BatchPlan } from "../../close/answer/BatchPlan.ts"
import { Builder } from "../../close/answer/Builder.ts"
import { Planner } from "../../close/answer/Planner.ts"
import { Networks } from "../../Networks.ts"
import { batchAnswer } from "../BatchAnswer.ts"
import { countFailedBuild, countPlan } from "../metrics/CloseMetrics.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `close`. */
export const close = Effect.map(Networks, (networks): Handlers["close"] => ({
  plan: ({ path, payload }) =>
    Planner.pipe(Effect.flatMap((planner) => planner.plan(payload)), networks.on(path.network), Effect.tap(countPlan(path.network))),
  transactions: ({ path, payload }) =>
    Builder.pipe(
      Effect.flatMap((builder) => builder.next(payload)),
      networks.on(path.network),
      Effect.tapErrorTag("DryRunFailed", countFailedBuild(path.network))
    ),
  batchPlan: ({ path, payload, request }) =>
    BatchPlan.pipe(
      Effect.flatMap((batch) => batch.plans(payload)),
      Effect.flatMap((plans) => batchAnswer(plans, request.headers["accept"])),
      networks.on(path.network)
    )
}))

import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { BatchPlan } from "../../close/BatchPlan.ts"
import { Builder } from "../../close/Builder.ts"
import { Planner } from "../../close/Planner.ts"
import { batchAnswer } from "../BatchAnswer.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `close`. */
export const layer = HttpApiBuilder.group(Api, "close", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handle("plan", ({ path, payload }) =>
        Planner.pipe(Effect.flatMap((planner) => planner.plan(payload)), networks.on(path.network)))
      .handle("transactions", ({ path, payload }) =>
        Builder.pipe(Effect.flatMap((builder) => builder.next(payload)), networks.on(path.network)))
      .handle("batchPlan", ({ path, payload, request }) =>
        BatchPlan.pipe(
          Effect.flatMap((batch) => batch.plans(payload)),
          Effect.flatMap((plans) => batchAnswer(plans, request.headers["accept"])),
          networks.on(path.network)
        ))))

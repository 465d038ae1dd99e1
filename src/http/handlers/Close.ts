import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { BatchResult } from "../../api/Batch.ts"
import { BatchPlan } from "../../close/answer/BatchPlan.ts"
import { Builder } from "../../close/answer/Builder.ts"
import { Planner } from "../../close/answer/Planner.ts"
import { TransactionsResult } from "../../domain/CloseTransaction.ts"
import { Plan } from "../../domain/Plan.ts"
import { Networks } from "../../Networks.ts"
import { batchAnswer } from "../BatchAnswer.ts"
import { answerInParts } from "../wire/InParts.ts"

/** Handlers of the group `close`. */
export const layer = HttpApiBuilder.group(Api, "close", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handle("plan", ({ path, payload }) =>
        Planner.pipe(Effect.flatMap((planner) => planner.plan(payload)), Effect.flatMap(answerInParts(Plan)), networks.on(path.network)))
      .handle("transactions", ({ path, payload }) =>
        Builder.pipe(Effect.flatMap((builder) => builder.next(payload)), Effect.flatMap(answerInParts(TransactionsResult)), networks.on(path.network)))
      .handle("batchPlan", ({ path, payload, request }) =>
        BatchPlan.pipe(
          Effect.flatMap((batch) => batch.plans(payload)),
          Effect.flatMap((plans) => batchAnswer(plans, request.headers["accept"])),
          Effect.flatMap((answer) => (HttpServerResponse.isServerResponse(answer) ? Effect.succeed(answer) : answerInParts(BatchResult)(answer))),
          networks.on(path.network)
        ))))

import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { BatchResult } from "../../api/Batch.ts"
import { BatchBody, PlanBody, TransactionsBody } from "../../api/Close.ts"
import { BatchPlan } from "../../close/answer/BatchPlan.ts"
import { Builder } from "../../close/answer/Builder.ts"
import { Planner } from "../../close/answer/Planner.ts"
import { TransactionsResult } from "../../domain/CloseTransaction.ts"
import { Plan } from "../../domain/Plan.ts"
import { Networks } from "../../Networks.ts"
import { batchAnswer } from "../BatchAnswer.ts"
import { countFailedBuild, countPlan } from "../metrics/CloseMetrics.ts"
import { withBody } from "../request/Body.ts"
import { reportingTo, UnexpectedFailures } from "../UnexpectedFailures.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const planned = answerInParts(Plan)
const built = answerInParts(TransactionsResult)
const batched = answerInParts(BatchResult)

/** Handlers of the group `close`. */
export const layer = HttpApiBuilder.group(
  Api,
  "close",
  (handlers) =>
    Effect.map(Effect.all([Networks, UnexpectedFailures]), ([networks, failures]) => {
      const reporting = reportingTo(failures)
      return handlers
        .handleRaw(
          "plan",
          withBody(PlanBody, ({ path, payload }) =>
            Planner.pipe(
              Effect.flatMap((planner) => planner.plan(payload)),
              networks.on(path.network),
              Effect.tap(countPlan(path.network)),
              Effect.flatMap(planned),
              reporting({ network: path.network, operation: "plan", request: payload })
            ))
        )
        .handleRaw(
          "transactions",
          withBody(TransactionsBody, ({ path, payload }) =>
            Builder.pipe(
              Effect.flatMap((builder) => builder.next(payload)),
              networks.on(path.network),
              Effect.tapErrorTag("DryRunFailed", countFailedBuild(path.network)),
              Effect.flatMap(built),
              reporting({ network: path.network, operation: "transactions", request: payload })
            ))
        )
        .handleRaw(
          "batchPlan",
          withBody(BatchBody, ({ path, payload, request }) =>
            BatchPlan.pipe(
              Effect.flatMap((batch) => batch.plans(payload)),
              Effect.flatMap((plans) => batchAnswer(plans, request.headers["accept"])),
              networks.on(path.network),
              Effect.flatMap((answer) => (HttpServerResponse.isServerResponse(answer) ? Effect.succeed(answer) : batched(answer)))
            ))
        )
    })
)

import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { BatchResult } from "../../api/Batch.ts"
import { BatchBody, PlanBody, TransactionsBody } from "../../api/Close.ts"
import { BatchPlan } from "../../close/answer/BatchPlan.ts"
import { Builder } from "../../close/answer/Builder.ts"
import { Planner } from "../../close/answer/Planner.ts"
import { type TransactionsRequest, TransactionsResult } from "../../domain/CloseTransaction.ts"
import type { Network } from "../../domain/Network.ts"
import { type CloseRequest, Plan } from "../../domain/Plan.ts"
import { Networks } from "../../Networks.ts"
import { batchAnswer } from "../BatchAnswer.ts"
import { countFailedBuild, countPlan } from "../metrics/CloseMetrics.ts"
import { withBody } from "../request/Body.ts"
import { reportingDefects } from "../UnexpectedFailures.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const planned = answerInParts(Plan)
const built = answerInParts(TransactionsResult)
const batched = answerInParts(BatchResult)

/** The plan of a close. */
export const planClose = (networks: Context.Tag.Service<Networks>, network: Network) => (request: CloseRequest) =>
  Planner.pipe(
    Effect.flatMap((planner) => planner.plan(request)),
    networks.on(network),
    Effect.tap(countPlan(network)),
    reportingDefects({ network, operation: "plan", request })
  )

/** The next unsigned transaction of a close. */
export const nextTransaction = (networks: Context.Tag.Service<Networks>, network: Network) => (request: TransactionsRequest) =>
  Builder.pipe(
    Effect.flatMap((builder) => builder.next(request)),
    networks.on(network),
    Effect.tapErrorTag("DryRunFailed", countFailedBuild(network)),
    reportingDefects({ network, operation: "transactions", request })
  )

/** Handlers of the group `close`. */
export const layer = HttpApiBuilder.group(Api, "close", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handleRaw(
        "plan",
        withBody(PlanBody, ({ path, payload }) => Effect.flatMap(planClose(networks, path.network)(payload), planned))
      )
      .handleRaw(
        "transactions",
        withBody(TransactionsBody, ({ path, payload }) => Effect.flatMap(nextTransaction(networks, path.network)(payload), built))
      )
      .handleRaw(
        "batchPlan",
        withBody(BatchBody, ({ path, payload, request }) =>
          BatchPlan.pipe(
            Effect.flatMap((batch) => batch.plans(payload)),
            Effect.flatMap((plans) => batchAnswer(path.network, plans, request.headers["accept"])),
            networks.on(path.network),
            Effect.flatMap((answer) => (HttpServerResponse.isServerResponse(answer) ? Effect.succeed(answer) : batched(answer)))
          ))
      )))

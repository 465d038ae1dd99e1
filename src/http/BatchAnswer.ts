import { HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Either, Schema, Stream } from "effect"
import { BatchResult } from "../api/Batch.ts"
import type { AnyFailure } from "../api/ErrorTable.ts"
import { batchConcurrency, type BatchedPlan } from "../close/answer/BatchPlan.ts"
import { InternalError } from "../domain/failure/Request.ts"
import type { Network } from "../domain/Network.ts"
import { RequestId } from "./request/RequestId.ts"
import { reportingDefects } from "./UnexpectedFailures.ts"
import { failureBody } from "./wire/ErrorEnvelope.ts"
import { HelpLinks } from "./wire/HelpLinks.ts"

type Result = (typeof BatchResult.Type)["results"][number]

/** One line a result, as each is ready. */
const ndjson = "application/x-ndjson"

/** The failure of one account. A defect becomes `internal_error` and goes to the log; only an interruption ends the batch. */
const failureOf = (cause: Cause.Cause<AnyFailure>): Effect.Effect<AnyFailure> =>
  Either.match(Cause.failureOrCause(cause), {
    onLeft: Effect.succeed,
    onRight: (other) =>
      Cause.isInterruptedOnly(other)
        ? Effect.failCause(other)
        : Effect.as(Effect.logError("a plan of a batch failed unexpectedly", other), new InternalError())
  })

/** A plan, or the failure of that account alone as its envelope would have it. */
const settled = (network: Network) => ({ plan, request }: BatchedPlan): Effect.Effect<Result> =>
  Effect.flatMap(RequestId, (requestId) =>
    plan.pipe(
      reportingDefects({ network, operation: "plan", request }),
      Effect.matchCauseEffect({
        onSuccess: (made): Effect.Effect<Result> => Effect.succeed({ source: request.source, plan: made }),
        onFailure: (cause) =>
          Effect.map(failureOf(cause), (failure): Result => ({ source: request.source, error: failureBody(failure, requestId) }))
      })
    ))

/** Every result, in request order. */
const allAtOnce = (network: Network, plans: ReadonlyArray<BatchedPlan>): Effect.Effect<typeof BatchResult.Type> =>
  Effect.map(Effect.forEach(plans, settled(network), { concurrency: batchConcurrency }), (results) => ({ results }))

const encode = Schema.encode(Schema.parseJson(BatchResult.fields.results.value))

/** A line for each result, whichever is ready first. The platform runs the stream outside of the request, whose context it gets here. */
const lineByLine = (network: Network, plans: ReadonlyArray<BatchedPlan>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Effect.all([Effect.context<never>(), HelpLinks, RequestId]), ([context, links, requestId]) => {
    const lineOf = (plan: BatchedPlan) => Effect.annotateLogs(Effect.flatMap(settled(network)(plan), encode), { requestId })
    return HttpServerResponse.stream(
      Stream.fromIterable(plans).pipe(
        Stream.mapEffect(lineOf, { concurrency: batchConcurrency, unordered: true }),
        Stream.provideContext(context),
        Stream.map((line) => `${links(line)}\n`),
        Stream.encodeText
      ),
      { contentType: ndjson }
    )
  })

/** The results as one document, or line by line where the caller accepts that. */
export const batchAnswer = (
  network: Network,
  plans: ReadonlyArray<BatchedPlan>,
  accept: string | undefined
): Effect.Effect<typeof BatchResult.Type | HttpServerResponse.HttpServerResponse> =>
  accept?.includes(ndjson) === true ? lineByLine(network, plans) : allAtOnce(network, plans)

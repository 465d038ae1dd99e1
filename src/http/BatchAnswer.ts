import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema, Stream } from "effect"
import { BatchResult } from "../api/Batch.ts"
import { batchConcurrency, type BatchedPlan } from "../close/answer/BatchPlan.ts"
import { RequestId } from "./request/RequestId.ts"
import { failureBody } from "./wire/ErrorEnvelope.ts"
import { HelpLinks, type Links } from "./wire/HelpLinks.ts"

type Result = (typeof BatchResult.Type)["results"][number]

/** One line a result, as each is ready. */
const ndjson = "application/x-ndjson"

/** A plan, or the failure of that account alone as its envelope would have it. */
const settled = (requestId: string) => ({ plan, source }: BatchedPlan): Effect.Effect<Result> =>
  Effect.match(plan, {
    onSuccess: (made): Result => ({ source, plan: made }),
    onFailure: (failure): Result => ({ source, error: failureBody(failure, requestId) })
  })

/** Every result, in request order. */
const allAtOnce = (plans: ReadonlyArray<BatchedPlan>, requestId: string): Effect.Effect<typeof BatchResult.Type> =>
  Effect.map(Effect.forEach(plans, settled(requestId), { concurrency: batchConcurrency }), (results) => ({ results }))

const encode = Schema.encode(Schema.parseJson(BatchResult.fields.results.value))

/** A line for each result, whichever is ready first. */
const lineByLine = (plans: ReadonlyArray<BatchedPlan>, requestId: string, links: Links): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    Stream.fromIterable(plans).pipe(
      Stream.mapEffect((plan) => Effect.flatMap(settled(requestId)(plan), encode), { concurrency: batchConcurrency, unordered: true }),
      Stream.map((line) => `${links(line)}\n`),
      Stream.encodeText
    ),
    { contentType: ndjson }
  )

/** The results as one document, or line by line where the caller accepts that. */
export const batchAnswer = (
  plans: ReadonlyArray<BatchedPlan>,
  accept: string | undefined
): Effect.Effect<typeof BatchResult.Type | HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(
    Effect.all([RequestId, HelpLinks]),
    ([requestId, links]): ReturnType<typeof batchAnswer> =>
      accept?.includes(ndjson) === true ? Effect.succeed(lineByLine(plans, requestId, links)) : allAtOnce(plans, requestId)
  )

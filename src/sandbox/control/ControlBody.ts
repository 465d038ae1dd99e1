import { HttpServerRequest } from "@effect/platform"
import { Effect, type ParseResult, Schema } from "effect"
import { Problem } from "../rest/Problem.ts"

/** The JSON body of a control request; an empty one is an empty object. A field that is not known is refused. */
export const controlBody = <A, I>(
  schema: Schema.Schema<A, I>
): Effect.Effect<A, ParseResult.ParseError | Problem, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* Effect.mapError(request.text, () => Problem.badRequest("The body could not be read."))
    return yield* Schema.decode(Schema.parseJson(schema), { onExcessProperty: "error" })(body.trim() || "{}")
  })

import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"

const GARBAGE = "<html>{\"almost\": json"

export class GarbageBody extends Schema.TaggedClass<GarbageBody>("GarbageBody")("GarbageBody", {}, {
  description: "200 with a body that calls itself JSON and is not."
}) {
  answer() {
    return Effect.succeed(HttpServerResponse.text(GARBAGE, { contentType: "application/json" }))
  }
}

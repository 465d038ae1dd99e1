import { Effect, Schema } from "effect"
import { afterwards } from "./Afterwards.ts"

export class Hang extends Schema.TaggedClass<Hang>("Hang")("Hang", { afterwards }, {
  description: "No answer ever comes: the request ends when its caller gives up."
}) {
  answer() {
    return Effect.never
  }
}

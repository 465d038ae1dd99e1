import { Effect, Schema } from "effect"
import { afterwards } from "./Afterwards.ts"

/** No answer ever comes: the request ends when its caller gives up. */
export class Hang extends Schema.TaggedClass<Hang>("Hang")("Hang", { afterwards }) {
  answer() {
    return Effect.never
  }
}

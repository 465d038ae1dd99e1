import { Effect, Schema } from "effect"
import { afterwards } from "./Afterwards.ts"
import { ConnectionCut } from "./ConnectionCut.ts"

export class CutConnection extends Schema.TaggedClass<CutConnection>("CutConnection")("CutConnection", { afterwards }, {
  description: "The connection is cut before anything is answered; the request has no effect unless `afterwards` says so."
}) {
  answer() {
    return Effect.fail(new ConnectionCut())
  }
}

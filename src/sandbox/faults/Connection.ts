import { Data, Effect, Schema } from "effect"

/** Field of the faults that lose a response. */
export const afterwards = Schema.optionalWith(Schema.Boolean, { exact: true }).annotations({
  description: "Whether the request takes effect all the same and only its answer is lost; left out, it never gets through."
})

/** The connection ends without a response. The transport that carries the request drops it. */
export class ConnectionCut extends Data.TaggedError("ConnectionCut")<{}> {}

export class CutConnection extends Schema.TaggedClass<CutConnection>("CutConnection")("CutConnection", { afterwards }, {
  description: "The connection is cut before anything is answered; the request has no effect unless `afterwards` says so."
}) {
  answer() {
    return Effect.fail(new ConnectionCut())
  }
}

export class Hang extends Schema.TaggedClass<Hang>("Hang")("Hang", { afterwards }, {
  description: "No answer ever comes: the request ends when its caller gives up."
}) {
  answer() {
    return Effect.never
  }
}

export class Latency extends Schema.TaggedClass<Latency>("Latency")("Latency", {
  millis: Schema.Positive
}, {
  description: "The answer comes so much later, by the clock of the network."
}) {}

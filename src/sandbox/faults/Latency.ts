import { Schema } from "effect"

/** The answer comes so much later, by the clock of the network. */
export class Latency extends Schema.TaggedClass<Latency>("Latency")("Latency", {
  millis: Schema.Positive
}) {}

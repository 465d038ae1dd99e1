import { Schema } from "effect"

export class Latency extends Schema.TaggedClass<Latency>("Latency")("Latency", {
  millis: Schema.Positive
}, {
  description: "The answer comes so much later, by the clock of the network."
}) {}

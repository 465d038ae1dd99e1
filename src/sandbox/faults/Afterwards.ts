import { Schema } from "effect"

/** Of faults that lose an answer. */
export const afterwards = Schema.optionalWith(Schema.Boolean, { exact: true }).annotations({
  description: "Whether the request takes effect all the same and only its answer is lost; left out, it never gets through."
})

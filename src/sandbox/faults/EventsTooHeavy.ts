import { Schema } from "effect"

export class EventsTooHeavy extends Schema.TaggedClass<EventsTooHeavy>("EventsTooHeavy")("EventsTooHeavy", {
  ledgers: Schema.Int.pipe(Schema.positive())
}, {
  description: "`getEvents` gives up (-32001) where it would look through more than so many ledgers, each counted once a filter."
}) {}

import { Schema } from "effect"

export class TryAgainLater extends Schema.TaggedClass<TryAgainLater>("TryAgainLater")("TryAgainLater", {}, {
  description: "A submitted transaction is turned away unread with `TRY_AGAIN_LATER`."
}) {}

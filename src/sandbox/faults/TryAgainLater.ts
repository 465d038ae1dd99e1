import { Schema } from "effect"

/** A submitted transaction is turned away unread with `TRY_AGAIN_LATER`. */
export class TryAgainLater extends Schema.TaggedClass<TryAgainLater>("TryAgainLater")("TryAgainLater", {}) {}

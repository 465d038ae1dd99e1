import { Schema } from "effect"

export class ManualRestoration extends Schema.TaggedClass<ManualRestoration>("ManualRestoration")("ManualRestoration", {}, {
  description: "The contract RPC does not restore by itself: `simulateTransaction` answers as if what is archived had been restored " +
    "before, and says in `restorePreamble` what restores it. A transaction built without that fails for the archived " +
    "entries."
}) {}

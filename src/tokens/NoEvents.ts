import { Effect, Layer } from "effect"
import { OwnerEvents } from "./OwnerEvents.ts"

/** Nobody scans events: nothing is told, and that it is not is told. */
export const noEvents: Layer.Layer<OwnerEvents> = Layer.succeed(OwnerEvents, {
  of: () =>
    Effect.succeed({ tokens: [], approvals: [], scanned: null, complete: false, dropped: { tokens: 0, approvals: 0 }, failure: null })
})

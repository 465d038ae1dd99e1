import { Layer } from "effect"

/** Every protocol of this version: one line each. */
export const layer = Layer.mergeAll(
  Layer.empty
)

import { Layer } from "effect"
import * as Lend1 from "./Lend1.ts"

/** Every protocol of this version: one line each. */
export const layer = Layer.mergeAll(
  Lend1.layer
)

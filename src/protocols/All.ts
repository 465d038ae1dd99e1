import { Layer } from "effect"
import * as Amm1 from "./Amm1.ts"
import * as Amm2 from "./Amm2.ts"
import * as Amm3 from "./Amm3.ts"
import * as Cdp1 from "./Cdp1.ts"
import * as Lend1 from "./Lend1.ts"

/** Every protocol of this version: one line each. */
export const layer = Layer.mergeAll(
  Amm1.layer,
  Amm2.layer,
  Amm3.layer,
  Cdp1.layer,
  Lend1.layer
)

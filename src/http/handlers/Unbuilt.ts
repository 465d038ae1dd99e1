import { notYet } from "../NotYet.ts"
import type { Handlers } from "./Handlers.ts"

/** Groups of which nothing is built yet. */
export const unbuilt: Pick<Handlers, "allowances"> = {
  allowances: { list: notYet, revoke: notYet }
}

import { notYet } from "../NotYet.ts"
import type { Handlers } from "./Handlers.ts"

/** Groups of which nothing is built yet. */
export const unbuilt: Pick<Handlers, "selfService" | "myKeys" | "admin"> = {
  selfService: { page: notYet, challenge: notYet, session: notYet },
  myKeys: { list: notYet, create: notYet, rotate: notYet, revoke: notYet },
  admin: { create: notYet, list: notYet, revoke: notYet, rotate: notYet }
}

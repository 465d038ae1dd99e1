import type { Situation } from "../situation/Situation.ts"

/** What claims rest on: everything but what is held in protocols, which is looked at more than once with other answers. */
export type ClaimSituation = Omit<Situation, "exits">

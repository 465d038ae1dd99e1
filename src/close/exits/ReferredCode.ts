import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { Exits } from "../model/Exits.ts"

/** Somebody may change what these contracts do, without anything of theirs being changed. */
export const referredWarnings = ({ referred }: Pick<Exits, "referred">): ReadonlyArray<PlanBlocker> =>
  [...referred].map((contract) =>
    warning("code_by_reference", `Which code ${contract} runs is for another contract to say, and may change at any time. A call that was built runs the code of now, or fails.`, contract))

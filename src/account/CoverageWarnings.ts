import type { Context } from "effect"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import type { Coverage } from "../protocols/Coverage.ts"

/** What the read of an account did not look for, beside protocols, whose warnings stand with the positions. */
export const coverageWarnings = ({ tokens }: Pick<Context.Tag.Service<Coverage>, "tokens">): ReadonlyArray<PlanBlocker> =>
  tokens
    ? [warning("tokens_not_checked", "Balances in contract tokens are not read by this version, so the account may hold some.", "tokens")]
    : []

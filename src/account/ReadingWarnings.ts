import { warning } from "../domain/Blocker.ts"
import type { PlanBlocker } from "../domain/Blocker.ts"
import type { Reading } from "./Reading.ts"

/** What a caller must know about how an account was read. */
export const readingWarnings = ({ confirmation, listing, straddled }: Reading): ReadonlyArray<PlanBlocker> => {
  const warnings: Array<PlanBlocker> = []
  if (straddled) {
    warnings.push(warning("straddled_read", "The account changed while it was read, so the parts may not fit together. Read again."))
  }
  if (listing.latestLedger < confirmation.accountModified) {
    warnings.push(
      warning("source_lagging", "The ledger API has not seen the account's last change, so something held may be missing. Read again shortly.")
    )
  }
  if (confirmation.header.sequence < confirmation.newestAnswer) {
    warnings.push(warning("source_lagging", "Endpoints of the contract RPC are at different ledgers. Read again shortly."))
  }
  return warnings
}

import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import { counted } from "../domain/CountedNoun.ts"
import { span } from "./Confirmation.ts"
import type { Reading } from "./Reading.ts"

const ledgers = (count: number): string => counted(count, "ledger")

/** What a network without a ledger API cannot show. */
const unlistedWarning = warning(
  "not_listed",
  "This network is read without a ledger API. Claimable balances, assets that the account issued, order books and what others did with the account are known only as far as the request or the account's recent transactions name them.",
  "ledger_api"
)

/** Ledgers between the oldest answer of the contract RPC and the newest ledger that either source showed. */
const spread = ({ confirmation: { header, newestAnswer, oldestAnswer }, listing, sponsorships }: Reading): number =>
  Math.max(header.sequence, newestAnswer, listing.newestLedger) - Math.min(oldestAnswer, span(sponsorships.answers).oldest, header.sequence)

/**
 * What a caller must know about how an account was read. Sub-entries and sponsorships are counted by the ledger, so that a list
 * too old for them shows; claimable balances are not.
 */
export const readingWarnings = (reading: Reading): ReadonlyArray<PlanBlocker> => {
  const { beganAt, confirmation, isSplitRead, listing } = reading
  const warnings: Array<PlanBlocker> = []
  if (isSplitRead) {
    warnings.push(warning("straddled_read", "The account changed while it was read, so its parts may be of different ledgers. Read again."))
  }
  if (listing.unlisted) warnings.push(unlistedWarning)
  else if (!listing.claimableComplete) {
    const count = listing.claimableBalances.length
    warnings.push(
      warning(
        "candidates_dropped",
        `Only ${counted(count, "claimable balance")} could be listed, lumens and held assets first. There are more.`,
        "claimable_balances"
      )
    )
  }
  const behind = beganAt - listing.latestLedger
  if (listing.latestLedger < confirmation.accountModified) {
    warnings.push(
      warning(
        "source_lagging",
        "The ledger API has not seen the account's last change, so something held may be missing. Read again shortly."
      )
    )
  } else if (behind > 0) {
    warnings.push(
      warning(
        "source_lagging",
        `The ledger API is ${ledgers(behind)} behind, so a newer claimable balance may be missing. Read again shortly.`
      )
    )
  }
  if (spread(reading) > 1) {
    warnings.push(
      warning(
        "source_lagging",
        `Responses of the contract RPC are up to ${ledgers(spread(reading))} old, so amounts may have changed. Read again shortly.`
      )
    )
  }
  return warnings
}

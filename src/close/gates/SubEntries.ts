import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import { blocker } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { Gate } from "../situation/Gate.ts"

/** Why fewer were read than the account entry counts, and what helps. */
const causeOf = ({ unlisted, unreadable }: Pick<AccountSnapshot, "unlisted" | "unreadable">): string => {
  if (unreadable > 0) return "read. Some are in the format of a newer ledger protocol, which only a newer version of this service can read."
  return unlisted === true
    ? "found in its recent transactions. Name the other trustlines, offers and data entries in `entries`."
    : "listed. Try again when the ledger API has caught up."
}

/** Fewer sub-entries were listed than the account entry counts: something it holds was not seen. */
export const subEntries: Gate = ({ snapshot }) =>
  snapshot.state.subEntryMismatch
    ? [{
      failure: null,
      shown: blocker(
        "subentry_mismatch",
        `The account counts ${counted(snapshot.state.numSubEntries, "sub-entry", "sub-entries")}, but fewer could be ${causeOf(snapshot)}`
      )
    }]
    : []

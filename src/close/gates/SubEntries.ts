import { blocker } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { Gate } from "../situation/Gate.ts"

/** Fewer sub-entries were listed than the account entry counts: something it holds was not seen. */
export const subEntries: Gate = ({ snapshot: { state, unreadable } }) =>
  state.subEntryMismatch
    ? [{
      failure: null,
      shown: blocker(
        "subentry_mismatch",
        `The account counts ${counted(state.numSubEntries, "sub-entry", "sub-entries")}, but fewer could be ${
          unreadable === 0
            ? "listed. Try again when the ledger API has caught up."
            : "read. Some are in the format of a newer ledger protocol, which only a newer version of this service can read."
        }`
      )
    }]
    : []

import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../model/Gate.ts"

/** Fewer sub-entries were listed than the account entry counts: something it holds was not seen. */
export const subEntries: Gate = ({ snapshot: { state } }) =>
  state.subEntryMismatch
    ? [{
      failure: null,
      shown: blocker(
        "subentry_mismatch",
        `The account counts ${state.numSubEntries} sub-entries, but fewer could be listed. Try again when the ledger API has caught up.`
      )
    }]
    : []

import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../situation/Gate.ts"

/** AUTH_IMMUTABLE can never be cleared, and the ledger refuses to merge an account that has it. */
export const authImmutable: Gate = ({ snapshot: { state } }) =>
  state.authImmutable
    ? [{
      failure: null,
      shown: blocker(
        "auth_immutable",
        "The account has the AUTH_IMMUTABLE flag, which can never be cleared. The account can never be merged."
      )
    }]
    : []

import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"

/** Whether a successful call of the account's own named the contract of a position. No stranger can bring that about. */
export const isNamedByOwnCalls = (
  { called }: Pick<AccountSnapshot, "called">,
  { position: { contract } }: Pick<PlannedExit, "position">
): boolean => called.has(contract)

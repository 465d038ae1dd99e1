import { cancelOffers } from "./CancelOffers.ts"
import { claimLumens } from "./ClaimLumens.ts"
import { handleAssets } from "./HandleAssets.ts"
import { merge } from "./Merge.ts"
import { releaseSponsorships, topUpSponsorships } from "./ReleaseSponsorships.ts"
import { removeDataEntries } from "./RemoveDataEntries.ts"
import { removeEmptyLines } from "./RemoveEmptyTrustlines.ts"
import type { StepRule } from "./StepRule.ts"
import { withdrawPoolShares } from "./WithdrawPoolShares.ts"

/** Everything that empties the account, in the order in which it must happen. */
export const emptying: ReadonlyArray<StepRule> = [
  cancelOffers,
  removeDataEntries,
  removeEmptyLines,
  releaseSponsorships,
  withdrawPoolShares,
  claimLumens,
  handleAssets,
  topUpSponsorships
]

/** What frees lumens and assets that an exit needs, and takes nothing away. */
export const freeing: ReadonlyArray<StepRule> = [cancelOffers, removeDataEntries, removeEmptyLines]

/** The last step of every close. */
export const last: StepRule = merge

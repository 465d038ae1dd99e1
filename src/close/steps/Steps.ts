import { cancelOffers } from "./CancelOffers.ts"
import { claimLumens } from "./ClaimLumens.ts"
import { handleAssets } from "./HandleAssets.ts"
import { merge } from "./Merge.ts"
import { releaseSponsorships, topUpSponsorships } from "./ReleaseSponsorships.ts"
import { removeDataEntries } from "./RemoveDataEntries.ts"
import { removeEmptyTrustlines } from "./RemoveEmptyTrustlines.ts"
import type { StepRule } from "./StepRule.ts"
import { withdrawPoolShares } from "./WithdrawPoolShares.ts"

/** Everything that empties the account, in the order in which it must happen. */
export const emptyingSteps: ReadonlyArray<StepRule> = [
  cancelOffers,
  removeDataEntries,
  removeEmptyTrustlines,
  releaseSponsorships,
  withdrawPoolShares,
  claimLumens,
  handleAssets,
  topUpSponsorships
]

/** What frees lumens and assets that an exit needs, and takes nothing away. */
export const freeingSteps: ReadonlyArray<StepRule> = [cancelOffers, removeDataEntries, removeEmptyTrustlines]

/** The last step of every close. */
export const lastStep: StepRule = merge

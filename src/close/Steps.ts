import type { Step } from "./Step.ts"
import { cancelOffers } from "./steps/CancelOffers.ts"
import { claimLumens } from "./steps/ClaimLumens.ts"
import { handleAssets } from "./steps/HandleAssets.ts"
import { merge } from "./steps/Merge.ts"
import { releaseSponsorships, topUpSponsorships } from "./steps/ReleaseSponsorships.ts"
import { removeDataEntries } from "./steps/RemoveDataEntries.ts"
import { removeEmptyLines } from "./steps/RemoveEmptyLines.ts"
import { withdrawPoolShares } from "./steps/WithdrawPoolShares.ts"

/** Everything that empties the account, in the order in which it must happen. */
export const emptying: ReadonlyArray<Step> = [
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
export const freeing: ReadonlyArray<Step> = [cancelOffers, removeDataEntries, removeEmptyLines]

/** The last step of every close. */
export const last: Step = merge

import type { AccountAddress } from "../../domain/Address.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { ClaimPredicate } from "../../domain/ClaimPredicate.ts"
import type { BalanceId } from "../../domain/Ledger.ts"

/** A claimable balance as the ledger API lists it. */
export interface ClaimableBalanceRecord {
  readonly id: BalanceId
  readonly asset: AssetId
  readonly amount: Stroops
  readonly claimants: ReadonlyArray<{ readonly destination: AccountAddress; readonly predicate: ClaimPredicate }>
  readonly sponsor: AccountAddress | null
  readonly lastModifiedLedger: number
}

/** Every claimable balance of a question. */
export interface ClaimableBalanceList {
  readonly claimableBalances: ReadonlyArray<ClaimableBalanceRecord>
  readonly latestLedger: number
}

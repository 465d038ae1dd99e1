import type { xdr } from "@stellar/stellar-sdk"
import type { ClaimableBalance, Claimant } from "../domain/Account.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { stroops } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import { holdsAt } from "../domain/ClaimPredicate.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import { assetIdOf } from "../stellar/Assets.ts"
import { sponsorOf } from "../stellar/Entries.ts"
import { addressOf, balanceIdOf, predicateOf } from "../stellar/Names.ts"
import { claimableBalanceKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

/** The keys of claimable balances that are listed, and of those that the request claims beyond the list. */
export const claimableBalanceKeys = ({ claimableBalances, claimableNamed }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  [...claimableBalances.map(({ id }) => id), ...claimableNamed].map(claimableBalanceKey)

/** What the ledger API says of the claimable balances that name an account. */
export interface ClaimableSummary {
  readonly count: number
  /** False: there are more. */
  readonly complete: boolean
  /** Assets that the request claims, and that may have more claimable balances than were listed. */
  readonly partial: ReadonlyArray<AssetId>
  /** The ledger that last modified each. */
  readonly modified: ReadonlyMap<BalanceId, number>
}

/** The same of a listing. */
export const claimableSummary = ({ claimableBalances, claimableComplete, claimablePartial }: Listing): ClaimableSummary => ({
  count: claimableBalances.length,
  complete: claimableComplete,
  partial: claimablePartial,
  modified: new Map(claimableBalances.map(({ id, lastModifiedLedger }) => [id, lastModifiedLedger]))
})

/** Claimants with their predicates judged at a close time in Unix seconds. */
export const claimantsAt = (
  claimants: ReadonlyArray<Pick<Claimant, "destination" | "predicate">>,
  closeTime: bigint
): ReadonlyArray<Claimant> =>
  claimants.map(({ destination, predicate }) => ({ destination, predicate, claimable: holdsAt(predicate, closeTime) }))

/** The balances among entries that name an account, as of a ledger that closed at `closeTime` (Unix seconds). */
export const claimableBalances = (
  entries: ReadonlyArray<xdr.LedgerEntry>,
  address: AccountAddress,
  closeTime: bigint
): ReadonlyArray<ClaimableBalance> =>
  entries.flatMap((entry) => {
    if (entry.data.type !== "claimableBalance") return []
    const { amount, asset, balanceId, claimants } = entry.data.claimableBalance
    if (!claimants.some(({ v0 }) => addressOf(v0.destination) === address)) return []
    return [
      {
        id: balanceIdOf(balanceId),
        asset: assetIdOf(asset),
        amount: stroops(amount),
        claimants: claimantsAt(
          claimants.map(({ v0 }) => ({ destination: addressOf(v0.destination), predicate: predicateOf(v0.predicate) })),
          closeTime
        ),
        sponsor: sponsorOf(entry)
      }
    ]
  })

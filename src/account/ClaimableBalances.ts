import type { xdr } from "@stellar/stellar-sdk"
import { claimableBalanceKey } from "../chain/EntryKeys.ts"
import { addressOf, assetIdOf, balanceIdOf, predicateOf, sponsorOf } from "../chain/LedgerNames.ts"
import type { ClaimableBalance } from "../domain/Account.ts"
import { stroops } from "../domain/Amount.ts"
import type { Listing } from "./Listing.ts"

export const claimableBalanceKeys = ({ claimableBalances }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  claimableBalances.map(({ id }) => claimableBalanceKey(id))

export const claimableBalances = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<ClaimableBalance> =>
  entries.flatMap((entry) => {
    if (entry.data.type !== "claimableBalance") return []
    const { amount, asset, balanceId, claimants } = entry.data.claimableBalance
    return [
      {
        id: balanceIdOf(balanceId),
        asset: assetIdOf(asset),
        amount: stroops(amount),
        claimants: claimants.map(({ v0 }) => ({ destination: addressOf(v0.destination), predicate: predicateOf(v0.predicate) })),
        sponsor: sponsorOf(entry)
      }
    ]
  })

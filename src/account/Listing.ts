import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalanceRecord } from "../chain/ledger-api/ClaimableBalanceRecord.ts"
import type { OfferRecord } from "../chain/ledger-api/OfferRecord.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { concurrently } from "../fibers/Concurrently.ts"
import { listClaimable } from "./ClaimableListing.ts"

/** What the ledger API lists of an account: which entries there are, not what is in them. */
export interface Listing {
  readonly address: AccountAddress
  /** Null when the ledger API does not know the account (yet). */
  readonly account: AccountRecord | null
  readonly offers: ReadonlyArray<OfferRecord>
  readonly claimableBalances: ReadonlyArray<ClaimableBalanceRecord>
  /** False: there are more claimable balances than were listed. */
  readonly claimableComplete: boolean
  /** The newest ledger that every part of the listing had seen. */
  readonly latestLedger: number
  /** The newest ledger that some part of it had seen: other endpoints may have answered other parts. */
  readonly newestLedger: number
}

/** Asks for the lists at the same time, beside the account that is being asked for; one part that fails fails the whole. */
export const list = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
): Effect.Effect<Listing, ChainFailure> =>
  Effect.map(
    concurrently([account, api.offersOf(address), listClaimable(api, address, account)]),
    ([found, offers, balances]) => {
      const account = Option.getOrNull(found)
      const seen = [offers.latestLedger, balances.oldestLedger, ...(account === null ? [] : [account.latestLedger])]
      return {
        address,
        account,
        offers: offers.offers,
        claimableBalances: balances.claimableBalances,
        claimableComplete: balances.complete,
        latestLedger: Math.min(...seen),
        newestLedger: Math.max(...seen)
      }
    }
  )

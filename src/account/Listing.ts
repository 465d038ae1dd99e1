import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalanceRecord } from "../chain/ledger-api/ClaimableBalanceRecord.ts"
import type { OfferRecord } from "../chain/ledger-api/OfferRecord.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { AccountAddress } from "../domain/Address.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import { listClaimable, type WantedClaims } from "./ClaimableListing.ts"

/** What the ledger API lists of an account: which entries there are, not what is in them. */
export interface Listing {
  readonly address: AccountAddress
  /** Null when the ledger API does not know the account (yet). */
  readonly account: AccountRecord | null
  readonly offers: ReadonlyArray<OfferRecord>
  readonly claimableBalances: ReadonlyArray<ClaimableBalanceRecord>
  /** False: there are more claimable balances than were listed. */
  readonly claimableComplete: boolean
  /** Assets that the request claims, and that may have more claimable balances than were listed. */
  readonly claimablePartial: ReadonlyArray<AssetId>
  /** Claimable balances that the request claims, and that were not listed. Others may be their claimants. */
  readonly claimableNamed: ReadonlyArray<BalanceId>
  /** Nothing lists what the account has: the parts hold what is known by name (RPC-only mode). */
  readonly unlisted: boolean
  /** The newest ledger that every part of the listing had seen. */
  readonly latestLedger: number
  /** The newest ledger that some part of it had seen: other endpoints may have answered other parts. */
  readonly newestLedger: number
}

/** Asks for the lists at the same time, beside the account that is being asked for; one part that fails fails the whole. */
export const list = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>,
  wanted: WantedClaims
): Effect.Effect<Listing, ChainFailure> =>
  Effect.map(
    Effect.all([account, api.offersOf(address), listClaimable(api, address, account, wanted)], { concurrency: "unbounded" }),
    ([found, offers, balances]) => {
      const account = Option.getOrNull(found)
      const ofAccount = account === null ? [] : [account.latestLedger]
      return {
        address,
        account,
        offers: offers.offers,
        claimableBalances: balances.claimableBalances,
        claimableComplete: balances.complete,
        claimablePartial: balances.partial,
        claimableNamed: balances.named,
        unlisted: api.absent !== null,
        latestLedger: Math.min(offers.latestLedger, balances.oldestLedger, ...ofAccount),
        newestLedger: Math.max(offers.newestLedger, balances.newestLedger, ...ofAccount)
      }
    }
  )

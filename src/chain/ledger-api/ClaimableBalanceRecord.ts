import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { Amount, type Stroops } from "../../domain/Amount.ts"
import { AssetId } from "../../domain/Asset.ts"
import type { ClaimPredicate } from "../../domain/ClaimPredicate.ts"
import { Int } from "../../domain/Leaf.ts"
import { BalanceId } from "../../domain/Ledger.ts"
import { PredicateObject, predicateOf } from "../../domain/PredicateObject.ts"
import type { Ask } from "./Ask.ts"
import { Sponsor } from "./Fields.ts"
import { pageOf, pagesOf, type Stretch } from "./Page.ts"

/** A claimable balance as the ledger API lists it. */
export interface ClaimableBalanceRecord {
  readonly id: BalanceId
  readonly asset: AssetId
  readonly amount: Stroops
  readonly claimants: ReadonlyArray<{ readonly destination: AccountAddress; readonly predicate: ClaimPredicate }>
  readonly sponsor: AccountAddress | null
  readonly lastModifiedLedger: number
}

/** Which claimable balances are requested: all, or those of one asset, or a stretch of either. */
export interface ClaimableBalanceQuery extends Stretch {
  readonly asset?: AssetId
}

/** The claimable balances of a question. */
export interface ClaimableBalanceList {
  readonly claimableBalances: ReadonlyArray<ClaimableBalanceRecord>
  /** False when there are more than were wanted; `next` is where they go on. */
  readonly complete: boolean
  readonly next: string
  readonly latestLedger: number
  /** The newest ledger that some page had seen. */
  readonly newestLedger: number
}

const Resource = Schema.Struct({
  id: BalanceId,
  paging_token: Schema.String,
  asset: AssetId,
  amount: Amount,
  claimants: Schema.Array(Schema.Struct({ destination: AccountAddress, predicate: PredicateObject })),
  last_modified_ledger: Int,
  sponsor: Sponsor
})

const Page = pageOf(Resource)

const recordOf = (resource: typeof Resource.Type): ClaimableBalanceRecord => ({
  id: resource.id,
  asset: resource.asset,
  amount: resource.amount,
  claimants: resource.claimants.map(({ destination, predicate }) => ({ destination, predicate: predicateOf(predicate) })),
  sponsor: resource.sponsor ?? null,
  lastModifiedLedger: resource.last_modified_ledger
})

const claimableBalances =
  (ask: Ask, role: "claimant" | "sponsor") => (account: AccountAddress, { asset, ...stretch }: ClaimableBalanceQuery = {}) =>
    Effect.map(
      pagesOf(
        ask,
        { path: ["claimable_balances"], parameters: [[role, account], ...(asset === undefined ? [] : [["asset", asset] as const])] },
        Page,
        stretch
      ),
      ({ complete, latestLedger, newestLedger, next, records }): ClaimableBalanceList => ({
        claimableBalances: records.map(recordOf),
        complete,
        next,
        latestLedger,
        newestLedger
      })
    )

/** `/claimable_balances?claimant=`. */
export const claimableBalancesFor = (ask: Ask) => claimableBalances(ask, "claimant")

/** `/claimable_balances?sponsor=`. */
export const claimableBalancesSponsoredBy = (ask: Ask) => claimableBalances(ask, "sponsor")

import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { Amount, type Stroops } from "../../domain/Amount.ts"
import { AssetId } from "../../domain/Asset.ts"
import type { ClaimPredicate } from "../../domain/ClaimPredicate.ts"
import { Int } from "../../domain/Leaf.ts"
import { BalanceId } from "../../domain/Ledger.ts"
import type { Ask } from "./Ask.ts"
import { Sponsor } from "./Fields.ts"
import { pageOf, pagesOf, type Stretch } from "./Page.ts"

const epoch = Schema.String.pipe(Schema.pattern(/^-?[0-9]{1,19}$/))

/** A claim predicate as the ledger API writes it: an object whose only meaningful field names the kind. */
type PredicateObject =
  | { readonly unconditional: true }
  | { readonly and: ReadonlyArray<PredicateObject> }
  | { readonly or: ReadonlyArray<PredicateObject> }
  | { readonly not: PredicateObject }
  | { readonly abs_before_epoch: string }
  | { readonly rel_before: string }

const nested = Schema.suspend((): Schema.Schema<PredicateObject> => PredicateObject)

const PredicateObject: Schema.Schema<PredicateObject> = Schema.Union(
  Schema.Struct({ unconditional: Schema.Literal(true) }),
  Schema.Struct({ and: Schema.Array(nested) }),
  Schema.Struct({ or: Schema.Array(nested) }),
  Schema.Struct({ not: nested }),
  Schema.Struct({ abs_before_epoch: epoch }),
  Schema.Struct({ rel_before: epoch })
)

/** The predicate in the wire's terms. */
const predicateOf = (predicate: PredicateObject): ClaimPredicate => {
  if ("unconditional" in predicate) return { type: "unconditional" }
  if ("and" in predicate) return { type: "and", predicates: predicate.and.map(predicateOf) }
  if ("or" in predicate) return { type: "or", predicates: predicate.or.map(predicateOf) }
  if ("not" in predicate) return { type: "not", predicate: predicateOf(predicate.not) }
  if ("abs_before_epoch" in predicate) return { type: "before_absolute_time", absBeforeEpoch: predicate.abs_before_epoch }
  return { type: "before_relative_time", relBeforeSeconds: predicate.rel_before }
}

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
      ({ complete, latestLedger, next, records }): ClaimableBalanceList => ({
        claimableBalances: records.map(recordOf),
        complete,
        next,
        latestLedger
      })
    )

/** `/claimable_balances?claimant=`. */
export const claimableBalancesFor = (ask: Ask) => claimableBalances(ask, "claimant")

/** `/claimable_balances?sponsor=`. */
export const claimableBalancesSponsoredBy = (ask: Ask) => claimableBalances(ask, "sponsor")

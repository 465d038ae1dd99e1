import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { Amount } from "../../domain/Amount.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { Int } from "../../domain/Leaf.ts"
import type { Ask } from "./Ask.ts"
import { AssetObject, assetParameters, Int64Text, Sponsor } from "./Fields.ts"
import { pageOf, pagesOf } from "./Page.ts"

/** An open offer as the ledger API lists it. */
export interface OfferRecord {
  readonly id: bigint
  readonly seller: AccountAddress
  readonly selling: AssetId
  readonly buying: AssetId
  /** Of `selling`, still offered. */
  readonly amount: Stroops
  /** `buying` per `selling`, as the ledger holds it. */
  readonly price: { readonly n: number; readonly d: number }
  readonly lastModifiedLedger: number
  readonly sponsor: AccountAddress | null
}

/** Every offer of a question. */
export interface OfferList {
  readonly offers: ReadonlyArray<OfferRecord>
  readonly latestLedger: number
  /** The newest ledger that some page had seen. */
  readonly newestLedger: number
}

/** Offers of a pair; not all of them when `complete` is false. */
export interface OffersBetween extends Pick<OfferList, "latestLedger" | "offers"> {
  readonly complete: boolean
}

const PriceTerm = Int.pipe(Schema.between(1, 2147483647))

const Resource = Schema.Struct({
  id: Int64Text,
  paging_token: Schema.String,
  seller: AccountAddress,
  selling: AssetObject,
  buying: AssetObject,
  amount: Amount,
  price_r: Schema.Struct({ n: PriceTerm, d: PriceTerm }),
  last_modified_ledger: Int,
  sponsor: Sponsor
})

const Page = pageOf(Resource)

const recordOf = (resource: typeof Resource.Type): OfferRecord => ({
  id: resource.id,
  seller: resource.seller,
  selling: resource.selling,
  buying: resource.buying,
  amount: resource.amount,
  price: resource.price_r,
  lastModifiedLedger: resource.last_modified_ledger,
  sponsor: resource.sponsor ?? null
})

const offers = (ask: Ask, parameters: ReadonlyArray<readonly [string, string]>, maxPages?: number) =>
  Effect.map(
    pagesOf(ask, { path: ["offers"], parameters }, Page, maxPages === undefined ? {} : { maxPages }),
    ({ complete, latestLedger, newestLedger, records }): OfferList & OffersBetween => ({
      offers: records.map(recordOf),
      complete,
      latestLedger,
      newestLedger
    })
  )

/** `/offers?seller=`. */
export const offersOf = (ask: Ask) => (seller: AccountAddress): ReturnType<typeof offers> => offers(ask, [["seller", seller]])

/** `/offers?sponsor=`. */
export const offersSponsoredBy = (ask: Ask) => (sponsor: AccountAddress): ReturnType<typeof offers> => offers(ask, [["sponsor", sponsor]])

/** `/offers` of a pair. */
export const offersBetween = (ask: Ask) => (selling: AssetId, buying: AssetId, maxPages: number): ReturnType<typeof offers> =>
  offers(ask, [...assetParameters("selling_", selling), ...assetParameters("buying_", buying)], maxPages)

import type { AccountAddress } from "../../domain/Address.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"

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
}

/** Offers of a pair; not all of them when `complete` is false. */
export interface OffersBetween extends OfferList {
  readonly complete: boolean
}

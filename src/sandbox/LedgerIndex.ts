import type { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { entrySponsor } from "../ledger/entries/LedgerEntry.ts"
import { compareBytes } from "../ledger/Int64.ts"
import type { LedgerState } from "../ledger/LedgerState.ts"
import { addressOf } from "./AssetName.ts"

/** The body of a ledger entry with what the ledger keeps beside it. */
export interface Indexed<Body> {
  readonly body: Body
  /** G address of the account that pays its reserve instead of its owner. */
  readonly sponsor: string | undefined
  /** Sequence number of the ledger that changed it last. */
  readonly lastModified: number
}

/** The classic entries of a ledger by kind and owner (G address): what a listing API needs and a ledger key does not give. */
export interface LedgerIndex {
  readonly accounts: ReadonlyMap<string, Indexed<xdr.AccountEntry>>
  readonly trustlines: ReadonlyMap<string, ReadonlyArray<Indexed<xdr.TrustLineEntry>>>
  readonly data: ReadonlyMap<string, ReadonlyArray<Indexed<xdr.DataEntry>>>
  readonly offers: ReadonlyArray<Indexed<xdr.OfferEntry>>
  /** By the ledger that changed them last, then by id, as they are listed. */
  readonly claimableBalances: ReadonlyArray<Indexed<xdr.ClaimableBalanceEntry>>
  readonly pools: ReadonlyArray<Indexed<xdr.LiquidityPoolEntry>>
}

/** The index of a ledger, built on first use and kept as long as that version of the ledger is. */
export const indexOf: (state: LedgerState) => LedgerIndex = objectMemo((state) => build(state))

/** One entry as the index has it: whose it is, where it is listed by owner. */
type Classic =
  | { readonly _tag: "Account"; readonly owner: string; readonly item: Indexed<xdr.AccountEntry> }
  | { readonly _tag: "Trustline"; readonly owner: string; readonly item: Indexed<xdr.TrustLineEntry> }
  | { readonly _tag: "Data"; readonly owner: string; readonly item: Indexed<xdr.DataEntry> }
  | { readonly _tag: "Offer"; readonly item: Indexed<xdr.OfferEntry> }
  | { readonly _tag: "ClaimableBalance"; readonly item: Indexed<xdr.ClaimableBalanceEntry> }
  | { readonly _tag: "LiquidityPool"; readonly item: Indexed<xdr.LiquidityPoolEntry> }
  | { readonly _tag: "Other" }

/** Entries never change, and each ledger has most of those before it: each is spelled out once. */
const classicOf: (entry: xdr.LedgerEntry) => Classic = objectMemo((entry) => spell(entry))

const spell = (entry: xdr.LedgerEntry): Classic => {
  const sponsor = entrySponsor(entry)
  const beside = {
    sponsor: sponsor === undefined ? undefined : addressOf(sponsor),
    lastModified: entry.lastModifiedLedgerSeq
  }
  const { data } = entry
  switch (data.type) {
    case "account":
      return { _tag: "Account", owner: addressOf(data.account.accountId), item: { body: data.account, ...beside } }
    case "trustline":
      return { _tag: "Trustline", owner: addressOf(data.trustLine.accountId), item: { body: data.trustLine, ...beside } }
    case "data":
      return { _tag: "Data", owner: addressOf(data.data.accountId), item: { body: data.data, ...beside } }
    case "offer":
      return { _tag: "Offer", item: { body: data.offer, ...beside } }
    case "claimableBalance":
      return { _tag: "ClaimableBalance", item: { body: data.claimableBalance, ...beside } }
    case "liquidityPool":
      return { _tag: "LiquidityPool", item: { body: data.liquidityPool, ...beside } }
    default:
      return { _tag: "Other" }
  }
}

const build = (state: LedgerState): LedgerIndex => {
  const accounts = new Map<string, Indexed<xdr.AccountEntry>>()
  const trustlines = new Map<string, Array<Indexed<xdr.TrustLineEntry>>>()
  const data = new Map<string, Array<Indexed<xdr.DataEntry>>>()
  const offers: Array<Indexed<xdr.OfferEntry>> = []
  const claimableBalances: Array<Indexed<xdr.ClaimableBalanceEntry>> = []
  const pools: Array<Indexed<xdr.LiquidityPoolEntry>> = []
  for (const entry of state.entries()) {
    const one = classicOf(entry)
    if (one._tag === "Account") accounts.set(one.owner, one.item)
    else if (one._tag === "Trustline") append(trustlines, one.owner, one.item)
    else if (one._tag === "Data") append(data, one.owner, one.item)
    else if (one._tag === "Offer") offers.push(one.item)
    else if (one._tag === "ClaimableBalance") claimableBalances.push(one.item)
    else if (one._tag === "LiquidityPool") pools.push(one.item)
  }
  offers.sort((left, right) => (left.body.offerId < right.body.offerId ? -1 : 1))
  claimableBalances.sort((left, right) =>
    left.lastModified - right.lastModified || compareBytes(left.body.balanceId.v0.value, right.body.balanceId.v0.value)
  )
  return { accounts, trustlines, data, offers, claimableBalances, pools }
}

const append = <Body>(map: Map<string, Array<Indexed<Body>>>, owner: string, item: Indexed<Body>): void => {
  const items = map.get(owner)
  if (items === undefined) map.set(owner, [item])
  else items.push(item)
}

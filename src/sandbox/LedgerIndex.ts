import type { xdr } from "@stellar/stellar-sdk"
import { entrySponsor } from "../ledger/entries/LedgerEntry.ts"
import { compareBytes } from "../ledger/Int64.ts"
import type { LedgerState } from "../ledger/LedgerState.ts"
import { addressOf } from "./AssetName.ts"

/** The body of a ledger entry with what the ledger keeps beside it. */
export interface Indexed<Body> {
  readonly body: Body
  /** G address of whoever pays its reserve instead of its owner. */
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

const indexes = new WeakMap<LedgerState, LedgerIndex>()

/** The index of a ledger, built on first use and kept as long as that version of the ledger is. */
export const indexOf = (state: LedgerState): LedgerIndex => {
  const known = indexes.get(state)
  if (known !== undefined) return known
  const built = build(state)
  indexes.set(state, built)
  return built
}

const build = (state: LedgerState): LedgerIndex => {
  const accounts = new Map<string, Indexed<xdr.AccountEntry>>()
  const trustlines = new Map<string, Array<Indexed<xdr.TrustLineEntry>>>()
  const data = new Map<string, Array<Indexed<xdr.DataEntry>>>()
  const offers: Array<Indexed<xdr.OfferEntry>> = []
  const claimableBalances: Array<Indexed<xdr.ClaimableBalanceEntry>> = []
  const pools: Array<Indexed<xdr.LiquidityPoolEntry>> = []
  for (const entry of state.entries()) {
    const sponsor = entrySponsor(entry)
    const beside = {
      sponsor: sponsor === undefined ? undefined : addressOf(sponsor),
      lastModified: entry.lastModifiedLedgerSeq
    }
    switch (entry.data.type) {
      case "account":
        accounts.set(addressOf(entry.data.account.accountId), { body: entry.data.account, ...beside })
        break
      case "trustline":
        append(trustlines, addressOf(entry.data.trustLine.accountId), { body: entry.data.trustLine, ...beside })
        break
      case "data":
        append(data, addressOf(entry.data.data.accountId), { body: entry.data.data, ...beside })
        break
      case "offer":
        offers.push({ body: entry.data.offer, ...beside })
        break
      case "claimableBalance":
        claimableBalances.push({ body: entry.data.claimableBalance, ...beside })
        break
      case "liquidityPool":
        pools.push({ body: entry.data.liquidityPool, ...beside })
        break
      default:
        break
    }
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

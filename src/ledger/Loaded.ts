import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "./Draft.ts"
import { withFields } from "./entries/Account.ts"
import { accountEntryId, claimableEntryId, idOf, offerEntryId, poolEntryId, trustlineEntryId } from "./EntryId.ts"
import { minOf } from "./Int64.ts"
import { fault } from "./LedgerFault.ts"

/** One kind of ledger entry: how its body is taken out of an entry and put back. */
interface Kind<Body> {
  readonly read: (data: xdr.LedgerEntryData) => Body | undefined
  readonly write: (body: Body) => xdr.LedgerEntryData
}

/** A handle on an entry of a draft. `current` is always the newest value in that draft. */
export class Loaded<Body> {
  readonly draft: Draft
  readonly id: string
  private readonly kind: Kind<Body>

  constructor(draft: Draft, id: string, kind: Kind<Body>) {
    this.draft = draft
    this.id = id
    this.kind = kind
  }

  get entry(): xdr.LedgerEntry {
    return this.draft.peek(this.id) ?? fault(`${this.id} is gone`)
  }

  get current(): Body {
    return this.kind.read(this.entry.data) ?? fault(`${this.id} is of another kind`)
  }

  /** Replaces the body, keeping the entry's sponsor. */
  set(body: Body): void {
    this.replace(new xdr.LedgerEntry({ ...this.entry, data: this.kind.write(body) }))
  }

  replace(entry: xdr.LedgerEntry): void {
    this.draft.replace(this.id, entry)
  }

  erase(): void {
    this.draft.erase(this.id)
  }
}

const accountKind: Kind<xdr.AccountEntry> = {
  read: (data) => (data.type === "account" ? data.account : undefined),
  write: (body) => xdr.LedgerEntryData.account(body)
}
const trustlineKind: Kind<xdr.TrustLineEntry> = {
  read: (data) => (data.type === "trustline" ? data.trustLine : undefined),
  write: (body) => xdr.LedgerEntryData.trustline(body)
}
const offerKind: Kind<xdr.OfferEntry> = {
  read: (data) => (data.type === "offer" ? data.offer : undefined),
  write: (body) => xdr.LedgerEntryData.offer(body)
}
const dataKind: Kind<xdr.DataEntry> = {
  read: (data) => (data.type === "data" ? data.data : undefined),
  write: (body) => xdr.LedgerEntryData.data(body)
}
const poolKind: Kind<xdr.LiquidityPoolEntry> = {
  read: (data) => (data.type === "liquidityPool" ? data.liquidityPool : undefined),
  write: (body) => xdr.LedgerEntryData.liquidityPool(body)
}
const claimableBalanceKind: Kind<xdr.ClaimableBalanceEntry> = {
  read: (data) => (data.type === "claimableBalance" ? data.claimableBalance : undefined),
  write: (body) => xdr.LedgerEntryData.claimableBalance(body)
}

export type LoadedAccount = Loaded<xdr.AccountEntry>
export type LoadedTrustline = Loaded<xdr.TrustLineEntry>
export type LoadedOffer = Loaded<xdr.OfferEntry>
export type LoadedPool = Loaded<xdr.LiquidityPoolEntry>

const load = <Body>(draft: Draft, id: string, kind: Kind<Body>): Loaded<Body> | undefined =>
  draft.load(id) === undefined ? undefined : new Loaded(draft, id, kind)

const peek = <Body>(draft: Draft, id: string, kind: Kind<Body>): Loaded<Body> | undefined =>
  draft.peek(id) === undefined ? undefined : new Loaded(draft, id, kind)

/** `load…` counts the entry as changed, `peek…` does not: see {@link Draft}. */
export const loadAccount = (draft: Draft, account: xdr.PublicKey): LoadedAccount | undefined =>
  load(draft, accountEntryId(account), accountKind)

export const peekAccount = (draft: Draft, account: xdr.PublicKey): LoadedAccount | undefined =>
  peek(draft, accountEntryId(account), accountKind)

/** An account that must exist. */
export const requireAccount = (draft: Draft, account: xdr.PublicKey): LoadedAccount =>
  loadAccount(draft, account) ?? fault("the account is missing")

/** A trustline of any kind, pool shares included. */
export const loadTrustline = (draft: Draft, account: xdr.PublicKey, asset: xdr.Asset | xdr.TrustLineAsset): LoadedTrustline | undefined =>
  load(draft, trustlineEntryId(account, asset), trustlineKind)

export const peekTrustline = (draft: Draft, account: xdr.PublicKey, asset: xdr.Asset): LoadedTrustline | undefined =>
  peek(draft, trustlineEntryId(account, asset), trustlineKind)

export const loadPoolShare = (draft: Draft, account: xdr.PublicKey, pool: xdr.PoolId): LoadedTrustline | undefined =>
  loadTrustline(draft, account, xdr.TrustLineAsset.assetTypePoolShare(pool))

export const loadOffer = (draft: Draft, seller: xdr.PublicKey, offerId: bigint): LoadedOffer | undefined =>
  load(draft, offerEntryId(seller, offerId), offerKind)

export const loadData = (draft: Draft, key: xdr.LedgerKey): Loaded<xdr.DataEntry> | undefined => load(draft, idOf(key), dataKind)

export const loadPool = (draft: Draft, pool: xdr.PoolId): LoadedPool | undefined => load(draft, poolEntryId(pool), poolKind)

export const peekPool = (draft: Draft, pool: xdr.PoolId): LoadedPool | undefined => peek(draft, poolEntryId(pool), poolKind)

export const loadClaimableBalance = (
  draft: Draft,
  balanceId: xdr.ClaimableBalanceId
): Loaded<xdr.ClaimableBalanceEntry> | undefined => load(draft, claimableEntryId(balanceId), claimableBalanceKind)

/** Takes so many stroops from an account, or as many as there are: what was taken. */
export const takeFee = (account: LoadedAccount, asked: bigint): bigint => {
  const { current } = account
  const fee = minOf(asked, current.balance)
  if (fee <= 0n) return 0n
  account.set(withFields(current, { balance: current.balance - fee }))
  return fee
}

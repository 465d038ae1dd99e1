import { StrKey, xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, dashed } from "../../domain/Asset.ts"
import { PoolId } from "../../domain/Ledger.ts"
import type { State } from "../../ledger/State.ts"
import { accountKey, poolKey, trustlineKey } from "../../ledger/LedgerKey.ts"
import { fromXdrAsset, sdkAsset } from "../../stellar/Assets.ts"

const AUTHORIZED = 1
const CLAWBACK_ENABLED = 4

/** A line to an issued asset, as its entry says. Amounts in stroops. */
export interface Line {
  readonly asset: AssetId
  readonly balance: bigint
  readonly limit: bigint
  readonly buyingLiabilities: bigint
  /** Fully authorised. A line that may only maintain liabilities is not. */
  readonly authorized: boolean
  readonly clawback: boolean
}

export interface Offer {
  readonly id: string
  readonly selling: AssetId
  readonly buying: AssetId
  readonly amount: bigint
}

/** A share in a pool of the ledger, with what the pool holds. */
export interface PoolShare {
  readonly poolId: PoolId
  readonly shares: bigint
  readonly assetA: AssetId
  readonly assetB: AssetId
  readonly reserveA: bigint
  readonly reserveB: bigint
  readonly totalShares: bigint
}

/** What an account holds in a state of the ledger: nothing but a view of entries. */
export interface Holdings {
  readonly address: AccountAddress
  readonly account: xdr.AccountEntry
  readonly lines: ReadonlyArray<Line>
  readonly offers: ReadonlyArray<Offer>
  readonly dataNames: ReadonlyArray<string>
  readonly poolShares: ReadonlyArray<PoolShare>
}

type Owner = (id: xdr.PublicKey) => boolean

const ownerIs = (address: AccountAddress): Owner => {
  const wanted = StrKey.decodeEd25519PublicKey(address)
  return ({ ed25519: { value } }) => value.every((byte, index) => byte === wanted[index])
}

/** Entries never change, and a close of many transactions looks at the same ones in each: every line is spelled out once. */
const knownLines = new WeakMap<xdr.TrustLineEntry, Line | null>()

const lineOf = (entry: xdr.TrustLineEntry): Line | null => {
  const known = knownLines.get(entry)
  if (known !== undefined) return known
  const line = spelledOut(entry)
  knownLines.set(entry, line)
  return line
}

const spelledOut = (entry: xdr.TrustLineEntry): Line | null => {
  if (entry.asset.type === "assetTypePoolShare" || entry.asset.type === "assetTypeNative") return null
  const asset =
    entry.asset.type === "assetTypeCreditAlphanum4"
      ? xdr.Asset.assetTypeCreditAlphanum4(entry.asset.alphaNum4)
      : xdr.Asset.assetTypeCreditAlphanum12(entry.asset.alphaNum12)
  return {
    asset: fromXdrAsset(asset),
    balance: entry.balance,
    limit: entry.limit,
    buyingLiabilities: entry.ext.type === "v1" ? entry.ext.v1.liabilities.buying : 0n,
    authorized: (entry.flags & AUTHORIZED) !== 0,
    clawback: (entry.flags & CLAWBACK_ENABLED) !== 0
  }
}

const poolShareOf = (state: State, entry: xdr.TrustLineEntry): PoolShare | null => {
  if (entry.asset.type !== "assetTypePoolShare") return null
  const id = entry.asset.liquidityPoolId
  const found = state.get(poolKey(id.value))
  if (found?.data.type !== "liquidityPool") return null
  const pool = found.data.liquidityPool.body.constantProduct
  return {
    poolId: PoolId.make(id.toXdr("hex")),
    shares: entry.balance,
    assetA: fromXdrAsset(pool.params.assetA),
    assetB: fromXdrAsset(pool.params.assetB),
    reserveA: pool.reserveA,
    reserveB: pool.reserveB,
    totalShares: pool.totalPoolShares
  }
}

const present = <A>(value: A | null): value is A => value !== null

/** The holdings of an account, sorted so that the same entries always give the same order; null when the account is gone. */
export const holdingsIn = (state: State, address: AccountAddress): Holdings | null => {
  const found = state.get(accountKey(address))
  if (found?.data.type !== "account") return null
  const owned = ownerIs(address)
  const trustlines: Array<xdr.TrustLineEntry> = []
  const offers: Array<Offer> = []
  const dataNames: Array<string> = []
  for (const { data } of state.entries()) {
    if (data.type === "trustline" && owned(data.trustLine.accountId)) trustlines.push(data.trustLine)
    if (data.type === "offer" && owned(data.offer.sellerId)) {
      const { amount, buying, offerId, selling } = data.offer
      offers.push({ id: offerId.toString(), selling: fromXdrAsset(selling), buying: fromXdrAsset(buying), amount })
    }
    if (data.type === "data" && owned(data.data.accountId)) dataNames.push(data.data.dataName.toString())
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return {
    address,
    account: found.data.account,
    lines: trustlines.map(lineOf).filter(present).map((line) => [dashed(line.asset), line] as const)
      .sort(([a], [b]) => order(a, b)).map(([, line]) => line),
    offers: offers.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id))),
    dataNames: dataNames.sort(order),
    poolShares: trustlines.map((line) => poolShareOf(state, line)).filter(present).sort((a, b) => order(a.poolId, b.poolId))
  }
}

/** One line of an account; null when it has none to the asset. */
export const lineIn = (state: State, address: AccountAddress, asset: AssetId): Line | null => {
  const found = state.get(trustlineKey(address, sdkAsset(asset).toTrustLineXdrObject()))
  return found?.data.type === "trustline" ? lineOf(found.data.trustLine) : null
}

/** What open offers hold of an asset on the account's line, in stroops. */
export const sellingLiabilitiesIn = (state: State, address: AccountAddress, asset: AssetId): bigint => {
  const found = state.get(trustlineKey(address, sdkAsset(asset).toTrustLineXdrObject()))
  return found?.data.type === "trustline" && found.data.trustLine.ext.type === "v1" ? found.data.trustLine.ext.v1.liabilities.selling : 0n
}

const liabilities = (account: xdr.AccountEntry) => (account.ext.type === "v1" ? account.ext.v1.liabilities.selling : 0n)

const sponsorships = (account: xdr.AccountEntry) => {
  const v2 = account.ext.type === "v1" && account.ext.v1.ext.type === "v2" ? account.ext.v1.ext.v2 : null
  return { sponsoring: v2?.numSponsoring ?? 0, sponsored: v2?.numSponsored ?? 0 }
}

/** Base reserves the account itself must keep: (2 + sub-entries + sponsoring - sponsored) times the base reserve. */
export const minimumBalance = (account: xdr.AccountEntry, baseReserve: number): bigint => {
  const { sponsored, sponsoring } = sponsorships(account)
  return BigInt(2 + account.numSubEntries + sponsoring - sponsored) * BigInt(baseReserve)
}

/** Stroops that may be spent, on fees for instance: balance less minimum balance and selling liabilities; may be negative. */
export const spendable = (account: xdr.AccountEntry, baseReserve: number): bigint =>
  account.balance - minimumBalance(account, baseReserve) - liabilities(account)

/** Stroops that an account has less than its reserve and its offers bind, as one whose fees were reckoned high may in a projection. */
export const belowReserve = (account: xdr.AccountEntry, baseReserve: number): bigint => {
  const left = spendable(account, baseReserve)
  return left < 0n ? -left : 0n
}

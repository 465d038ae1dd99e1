import type { xdr } from "@stellar/stellar-sdk"
import { Order } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, dashed } from "../../domain/Asset.ts"
import { PoolId } from "../../domain/Ledger.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { textMemo } from "../../fibers/TextMemo.ts"
import type { EntryReader } from "../../ledger/EntryReader.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { assetIdOf, trustlineAssetOf } from "../../stellar/Assets.ts"
import { liabilitiesOf, minimumBalance } from "../../stellar/Entries.ts"
import { trustlineFlags } from "../../stellar/Flags.ts"
import { accountKey, keyOfPool, trustlineKey } from "../../xdr/LedgerKeys.ts"
import { xdrHex } from "../../xdr/XdrBytes.ts"

/**
 * A memo of views of ledger states, by query. A state never changes, so a view is made once and lives as long as its state.
 */
export const stateViews = <Query, View>(): (state: LedgerState, query: Query, make: () => View) => View => {
  const viewsOf = objectMemo((_state: LedgerState) => new Map<Query, View>())
  return (state, query, make) => {
    const views = viewsOf(state)
    const known = views.get(query)
    if (known !== undefined) return known
    const view = make()
    views.set(query, view)
    return view
  }
}

/** A trustline to an issued asset, as its entry says. Amounts in stroops. */
export interface HeldTrustline {
  readonly asset: AssetId
  readonly balance: bigint
  readonly limit: bigint
  readonly buyingLiabilities: bigint
  /** Fully authorised. A trustline that may only maintain liabilities is not. */
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

/** What shares are paid of one side of their pool. */
export interface PoolPayout {
  readonly asset: AssetId
  /** Stroops; zero where the shares are too few for one. */
  readonly amount: bigint
}

/** What a pool would pay for shares now, of both its sides: rounded down, as the ledger does. */
export const poolPayouts = ({ assetA, assetB, reserveA, reserveB, shares, totalShares }: PoolShare): readonly [PoolPayout, PoolPayout] => {
  const paidOf = (reserve: bigint): bigint => (totalShares === 0n ? 0n : (reserve * shares) / totalShares)
  return [{ asset: assetA, amount: paidOf(reserveA) }, { asset: assetB, amount: paidOf(reserveB) }]
}

/** What an account holds in a state of the ledger: a view of its entries. */
export interface Holdings {
  readonly address: AccountAddress
  readonly account: xdr.AccountEntry
  readonly trustlines: ReadonlyArray<HeldTrustline>
  readonly offers: ReadonlyArray<Offer>
  readonly dataNames: ReadonlyArray<string>
  readonly poolShares: ReadonlyArray<PoolShare>
}

/** A trustline, and what it is sorted by. */
interface NamedTrustline {
  readonly trustline: HeldTrustline
  readonly name: string
}

/** Entries never change, and a close of many transactions looks at the same ones in each: every trustline is spelled out once. */
const namedTrustline: (entry: xdr.TrustLineEntry) => NamedTrustline | null = objectMemo((entry) => readTrustline(entry))

const readTrustline = (entry: xdr.TrustLineEntry): NamedTrustline | null => {
  const asset = entry.asset.type === "assetTypeNative" ? null : assetIdOf(entry.asset)
  if (asset === null) return null
  const trustline = {
    asset,
    balance: entry.balance,
    limit: entry.limit,
    buyingLiabilities: liabilitiesOf(entry).buying,
    authorized: (entry.flags & trustlineFlags.authorized) !== 0,
    clawback: (entry.flags & trustlineFlags.clawbackEnabled) !== 0
  }
  return { trustline, name: dashed(asset) }
}

const offerOf = objectMemo(({ amount, buying, offerId, selling }: xdr.OfferEntry): Offer => ({
  id: offerId.toString(),
  selling: assetIdOf(selling),
  buying: assetIdOf(buying),
  amount
}))

const trustlineOf = (entry: xdr.TrustLineEntry): HeldTrustline | null => namedTrustline(entry)?.trustline ?? null

const poolShareOf = (state: LedgerState, entry: xdr.TrustLineEntry): PoolShare | null => {
  if (entry.asset.type !== "assetTypePoolShare") return null
  const id = entry.asset.liquidityPoolId
  const found = state.get(keyOfPool(id))
  if (found?.data.type !== "liquidityPool") return null
  const pool = found.data.liquidityPool.body.constantProduct
  return {
    poolId: PoolId.make(xdrHex(id)),
    shares: entry.balance,
    assetA: assetIdOf(pool.params.assetA),
    assetB: assetIdOf(pool.params.assetB),
    reserveA: pool.reserveA,
    reserveB: pool.reserveB,
    totalShares: pool.totalPoolShares
  }
}

/** Where the trustlines of accounts came when they were sorted: a close of many transactions only ever loses some of them. */
const places = textMemo(16, (_owner): { of: ReadonlyMap<string, number> } => ({ of: new Map() }))

/** Trustlines by name. They are sorted again only where one of them is new. */
const sortedTrustlines = (address: AccountAddress, trustlines: ReadonlyArray<NamedTrustline>): ReadonlyArray<HeldTrustline> => {
  const known = places(address)
  const placed: Array<HeldTrustline | undefined> = Array.from({ length: known.of.size })
  for (const { trustline, name } of trustlines) {
    const place = known.of.get(name)
    if (place === undefined || placed[place] !== undefined) {
      const sorted = trustlines.toSorted(Order.mapInput(Order.string, ({ name }) => name))
      known.of = new Map(sorted.map((each, at) => [each.name, at]))
      return sorted.map((each) => each.trustline)
    }
    placed[place] = trustline
  }
  return placed.filter((trustline) => trustline !== undefined)
}

const present = <A>(value: A | null): value is A => value !== null

const views = stateViews<AccountAddress, Holdings | null>()

/** The holdings of an account, sorted so that the same entries always give the same order; null when the account is gone. */
export const holdingsIn = (state: LedgerState, address: AccountAddress): Holdings | null =>
  views(state, address, () => readHoldings(state, address))

const readHoldings = (state: LedgerState, address: AccountAddress): Holdings | null => {
  const found = state.get(accountKey(address))
  if (found?.data.type !== "account") return null
  const trustlines: Array<xdr.TrustLineEntry> = []
  const offers: Array<xdr.OfferEntry> = []
  const dataNames: Array<string> = []
  for (const { data } of state.heldBy(found.data.account.accountId)) {
    if (data.type === "trustline") trustlines.push(data.trustLine)
    if (data.type === "offer") offers.push(data.offer)
    if (data.type === "data") dataNames.push(data.data.dataName.toString())
  }
  return {
    address,
    account: found.data.account,
    trustlines: sortedTrustlines(address, trustlines.map(namedTrustline).filter(present)),
    offers: offers.toSorted((a, b) => Number(a.offerId - b.offerId)).map(offerOf),
    dataNames: dataNames.toSorted(Order.string),
    poolShares: trustlines.map((trustline) => poolShareOf(state, trustline)).filter(present).toSorted(
      Order.mapInput(Order.string, ({ poolId }) => poolId)
    )
  }
}

/** One trustline of an account; null when it has none to the asset. */
export const trustlineIn = (state: EntryReader, address: AccountAddress, asset: AssetId): HeldTrustline | null => {
  const found = state.get(trustlineKey(address, trustlineAssetOf(asset)))
  return found?.data.type === "trustline" ? trustlineOf(found.data.trustLine) : null
}

/** What open offers hold of an asset on the account's trustline, in stroops. */
export const sellingLiabilitiesIn = (state: EntryReader, address: AccountAddress, asset: AssetId): bigint => {
  const found = state.get(trustlineKey(address, trustlineAssetOf(asset)))
  return found?.data.type === "trustline" ? liabilitiesOf(found.data.trustLine).selling : 0n
}

/** Stroops that may be spent, on fees for instance: balance less minimum balance and selling liabilities; may be negative. */
export const spendable = (account: xdr.AccountEntry, baseReserve: number): bigint =>
  account.balance - minimumBalance(account, baseReserve) - liabilitiesOf(account).selling

/** Stroops by which an account is below its reserve and offers, as it may be in a projection whose fees were estimated high. */
export const belowReserve = (account: xdr.AccountEntry, baseReserve: number): bigint => {
  const left = spendable(account, baseReserve)
  return left < 0n ? -left : 0n
}

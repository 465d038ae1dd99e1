import type { xdr } from "@stellar/stellar-sdk"
import { keyOfTrustline } from "../xdr/LedgerKeys.ts"
import { bytesId } from "./AccountId.ts"
import { assetId, isIssuer, isNative, toTrustlineAsset } from "./Asset.ts"
import { liabilitiesOf, sponsorshipOf } from "./entries/Account.ts"
import { entrySponsor } from "./entries/LedgerEntry.ts"
import { compareSignerKeys } from "./entries/Signer.ts"
import { isPoolShare, lineLiabilities, poolUseCount } from "./entries/Trustline.ts"
import { idOf, idOfEntry } from "./EntryId.ts"
import { offerLiabilities } from "./exchange/Exchange.ts"
import { int64Max } from "./Int64.ts"
import type { LedgerState } from "./LedgerState.ts"
import { minBalance, reserveUnits } from "./Reserves.ts"

/**
 * What is inconsistent in a ledger, one line each; nothing when all is well. Counters, liabilities and pool uses
 * are counted again from the entries they sum up, over the whole ledger.
 */
export const brokenInvariants = (state: LedgerState): ReadonlyArray<string> => {
  const tally = new Tally()
  for (const entry of state.entries()) tally.add(entry)
  for (const entry of state.entries()) count(entry, tally)
  return Array.from(state.entries(), (entry) => findingsOf(entry, state, tally)).flat()
}

/** Sums by what they are about. */
class Tally {
  readonly pools = new Map<string, xdr.LiquidityPoolEntry>()
  private readonly sums = new Map<string, bigint>()

  add(entry: xdr.LedgerEntry): void {
    if (entry.data.type !== "liquidityPool") return
    this.pools.set(bytesId(entry.data.liquidityPool.liquidityPoolId.value), entry.data.liquidityPool)
  }

  plus(what: string, amount: bigint | number): void {
    this.sums.set(what, this.of(what) + BigInt(amount))
  }

  of(what: string): bigint {
    return this.sums.get(what) ?? 0n
  }
}

const accountName = (account: xdr.PublicKey): string => bytesId(account.ed25519.value)

const holdingName = (account: xdr.PublicKey, asset: xdr.Asset): string => `${accountName(account)} ${assetId(asset)}`

const ownerOf = (data: xdr.LedgerEntryData): xdr.PublicKey | undefined => {
  switch (data.type) {
    case "account":
      return data.account.accountId
    case "trustline":
      return data.trustLine.accountId
    case "offer":
      return data.offer.sellerId
    case "data":
      return data.data.accountId
    default:
      return undefined
  }
}

const count = (entry: xdr.LedgerEntry, tally: Tally): void => {
  const { data } = entry
  const owner = ownerOf(data)
  const sponsor = entrySponsor(entry)
  if (owner !== undefined && data.type !== "account") tally.plus(`sub-entries of ${accountName(owner)}`, reserveUnits(data))
  if (sponsor !== undefined) {
    tally.plus(`sponsored by ${accountName(sponsor)}`, reserveUnits(data))
    if (owner !== undefined) tally.plus(`sponsored for ${accountName(owner)}`, reserveUnits(data))
  }
  if (data.type === "account") countSigners(data.account, tally)
  if (data.type === "trustline" && data.trustLine.asset.type === "assetTypePoolShare") {
    countShares(data.trustLine, data.trustLine.asset, tally)
  }
  if (data.type === "offer") {
    const { amount, buying, price, sellerId, selling } = data.offer
    const liabilities = offerLiabilities(price, amount)
    tally.plus(`buying liabilities of ${holdingName(sellerId, buying)}`, liabilities.buying)
    tally.plus(`selling liabilities of ${holdingName(sellerId, selling)}`, liabilities.selling)
  }
}

const countSigners = (account: xdr.AccountEntry, tally: Tally): void => {
  tally.plus(`sub-entries of ${accountName(account.accountId)}`, account.signers.length)
  for (const sponsor of sponsorshipOf(account).signerSponsors) {
    if (sponsor === null) continue
    tally.plus(`sponsored by ${accountName(sponsor)}`, 1)
    tally.plus(`sponsored for ${accountName(account.accountId)}`, 1)
  }
}

const countShares = (line: xdr.TrustLineEntry, { liquidityPoolId }: xdr.TrustLineAssetPoolShare, tally: Tally): void => {
  const pool = bytesId(liquidityPoolId.value)
  tally.plus(`lines of pool ${pool}`, 1)
  tally.plus(`shares of pool ${pool}`, line.balance)
  const params = tally.pools.get(pool)?.body.constantProduct.params
  for (const asset of params === undefined ? [] : [params.assetA, params.assetB]) {
    if (isNative(asset) || isIssuer(line.accountId, asset)) continue
    tally.plus(`pool uses of ${holdingName(line.accountId, asset)}`, 1)
  }
}

const findingsOf = (entry: xdr.LedgerEntry, state: LedgerState, tally: Tally): ReadonlyArray<string> => {
  switch (entry.data.type) {
    case "account":
      return accountFindings(entry.data.account, state, tally)
    case "trustline":
      return trustlineFindings(entry.data.trustLine, tally)
    case "offer":
      return offerFindings(entry.data.offer, state)
    case "liquidityPool":
      return poolFindings(entry.data.liquidityPool, tally)
    case "claimableBalance":
      return entrySponsor(entry) === undefined || entry.data.claimableBalance.amount <= 0n
        ? [`${idOfEntry(entry)} is malformed`]
        : []
    default:
      return []
  }
}

const expect = (what: string, recorded: bigint | number, counted: bigint): ReadonlyArray<string> =>
  BigInt(recorded) === counted ? [] : [`${what}: ${recorded} recorded, ${counted} counted`]

const within = (what: string, amount: bigint, min: bigint, max: bigint): ReadonlyArray<string> =>
  amount >= min && amount <= max ? [] : [`${what}: ${amount} is outside ${min}..${max}`]

const accountFindings = (account: xdr.AccountEntry, state: LedgerState, tally: Tally): ReadonlyArray<string> => {
  const name = accountName(account.accountId)
  const { buying, selling } = liabilitiesOf(account)
  const { numSponsored, numSponsoring, signerSponsors } = sponsorshipOf(account)
  const native = `${name} native`
  const isSorted = account.signers.every(({ key }, at) => {
    const before = account.signers[at - 1]
    return before === undefined || compareSignerKeys(before.key, key) < 0
  })
  return [
    ...within(`balance of ${native}`, account.balance, 0n, int64Max - buying),
    ...(selling === 0n
      ? []
      : within(`balance of ${native} above its offers`, account.balance, minBalance(state.header, account) + selling, int64Max)),
    ...expect(`sub-entries of ${name}`, account.numSubEntries, tally.of(`sub-entries of ${name}`)),
    ...expect(`sponsored by ${name}`, numSponsoring, tally.of(`sponsored by ${name}`)),
    ...expect(`sponsored for ${name}`, numSponsored, tally.of(`sponsored for ${name}`)),
    ...expect(`signer sponsors of ${name}`, signerSponsors.length, BigInt(account.signers.length)),
    ...expect(`buying liabilities of ${native}`, buying, tally.of(`buying liabilities of ${native}`)),
    ...expect(`selling liabilities of ${native}`, selling, tally.of(`selling liabilities of ${native}`)),
    ...(isSorted ? [] : [`signers of ${name} are out of order`])
  ]
}

const trustlineFindings = (line: xdr.TrustLineEntry, tally: Tally): ReadonlyArray<string> => {
  const name = `${accountName(line.accountId)} ${assetId(line.asset)}`
  const { buying, selling } = lineLiabilities(line)
  return [
    ...within(`balance of ${name}`, line.balance, selling, line.limit - buying),
    ...(isPoolShare(line) ? [] : expect(`pool uses of ${name}`, poolUseCount(line), tally.of(`pool uses of ${name}`))),
    ...expect(`buying liabilities of ${name}`, buying, tally.of(`buying liabilities of ${name}`)),
    ...expect(`selling liabilities of ${name}`, selling, tally.of(`selling liabilities of ${name}`))
  ]
}

const offerFindings = ({ amount, buying, offerId, sellerId, selling }: xdr.OfferEntry, state: LedgerState): ReadonlyArray<string> => [
  ...within(`amount of offer ${offerId}`, amount, 1n, int64Max),
  ...within(`id of offer ${offerId}`, offerId, 1n, state.header.idPool),
  ...[selling, buying]
    .filter((asset) => !isNative(asset) && !isIssuer(sellerId, asset))
    .filter((asset) => state.find(idOf(keyOfTrustline(sellerId, toTrustlineAsset(asset)))) === undefined)
    .map((asset) => `offer ${offerId} has no trustline for ${assetId(asset)}`)
]

const poolFindings = ({ body, liquidityPoolId }: xdr.LiquidityPoolEntry, tally: Tally): ReadonlyArray<string> => {
  const pool = bytesId(liquidityPoolId.value)
  const { poolSharesTrustLineCount, reserveA, reserveB, totalPoolShares } = body.constantProduct
  return [
    ...expect(`lines of pool ${pool}`, poolSharesTrustLineCount, tally.of(`lines of pool ${pool}`)),
    ...expect(`shares of pool ${pool}`, totalPoolShares, tally.of(`shares of pool ${pool}`)),
    ...within(`lines of pool ${pool}`, poolSharesTrustLineCount, 1n, int64Max),
    ...within(`reserves of pool ${pool}`, reserveA < reserveB ? reserveA : reserveB, totalPoolShares === 0n ? 0n : 1n, int64Max)
  ]
}

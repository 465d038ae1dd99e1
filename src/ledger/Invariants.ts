import type { xdr } from "@stellar/stellar-sdk"
import { entryOwner } from "../xdr/EntryOwner.ts"
import { keyOfTrustline } from "../xdr/LedgerKeys.ts"
import { accountId, bytesId } from "./AccountId.ts"
import { assetId, isIssuer, isNative, toTrustlineAsset } from "./Asset.ts"
import type { DraftEntry } from "./Draft.ts"
import { liabilitiesOf, sponsorshipOf } from "./entries/Account.ts"
import { entrySponsor } from "./entries/LedgerEntry.ts"
import { compareSignerKeys } from "./entries/Signer.ts"
import { lineLiabilities, poolUseCount } from "./entries/Trustline.ts"
import { idOf, idOfEntry, poolEntryId } from "./EntryId.ts"
import { offerLiabilities } from "./exchange/Exchange.ts"
import { int64Max } from "./Int64.ts"
import type { LedgerState } from "./LedgerState.ts"
import { minBalance, reserveUnits } from "./Reserves.ts"

/**
 * What is inconsistent in a ledger, one line each; nothing when all is well. Counters, liabilities and pool uses
 * are counted again from the entries they sum up, over the whole ledger.
 */
export const brokenInvariants = (state: LedgerState): ReadonlyArray<string> =>
  inconsistencies(Array.from(state.entries(), (now) => ({ before: undefined, now })), { before: state, after: state })

/**
 * The same of what changed from one ledger to another: counters move by as much as the entries that they sum up. Only the changed entries are
 * read, and the ledgers may be parts of whole ones. What was outside its bounds before is not told again.
 */
export const inconsistencies = (
  deltas: ReadonlyArray<DraftEntry>,
  states: { readonly before: LedgerState; readonly after: LedgerState }
): ReadonlyArray<string> => {
  const balance = new Balance()
  for (const { before, now } of deltas) {
    if (before !== undefined) weigh(before, states.before, (counted, name, amount) => balance.plus(counted, name, -amount))
    if (now !== null) weigh(now, states.after, (counted, name, amount) => balance.plus(counted, name, amount))
  }
  const outside = deltas.flatMap(({ before, now }) => {
    const findings = now === null ? [] : boundsBroken(now, states.after)
    if (findings.length === 0 || before === undefined) return findings
    const known = new Set(boundsBroken(before, states.before))
    return findings.filter((finding) => !known.has(finding))
  })
  return [...balance.uneven(), ...outside]
}

/** What is summed up. The name that follows says whose it is, or of which pool. */
type Counted =
  | "sub-entries of"
  | "sponsored by"
  | "sponsored for"
  | "buying liabilities of"
  | "selling liabilities of"
  | "pool uses of"
  | "lines of pool"
  | "shares of pool"

/** What entries record less what is counted, by what it is about: zero in the end. */
class Balance {
  // By kind, then by name: one key of both would be a new text for every entry.
  private readonly sums = new Map<Counted, Map<string, bigint>>()

  plus(counted: Counted, name: string, amount: bigint): void {
    let sums = this.sums.get(counted)
    if (sums === undefined) this.sums.set(counted, sums = new Map())
    sums.set(name, (sums.get(name) ?? 0n) + amount)
  }

  uneven(): ReadonlyArray<string> {
    return Array.from(this.sums).flatMap(([counted, sums]) =>
      Array.from(sums).flatMap(([name, sum]) => (sum === 0n ? [] : [`${counted} ${name}: ${sum} more recorded than counted`]))
    )
  }
}

/** Adds what an entry records, and takes off what it counts for in another. */
type Scale = (counted: Counted, name: string, amount: bigint) => void

const holdingName = (account: xdr.PublicKey, asset: xdr.Asset): string => `${accountId(account)} ${assetId(asset)}`

const weigh = (entry: xdr.LedgerEntry, state: LedgerState, scale: Scale): void => {
  const { data } = entry
  const owner = entryOwner(data)
  const sponsor = entrySponsor(entry)
  if (owner !== null && data.type !== "account") scale("sub-entries of", accountId(owner), -BigInt(reserveUnits(data)))
  if (sponsor !== undefined) {
    scale("sponsored by", accountId(sponsor), -BigInt(reserveUnits(data)))
    if (owner !== null) scale("sponsored for", accountId(owner), -BigInt(reserveUnits(data)))
  }
  switch (data.type) {
    case "account":
      return weighAccount(data.account, scale)
    case "trustline":
      return weighTrustline(data.trustLine, state, scale)
    case "offer":
      return weighOffer(data.offer, scale)
    case "liquidityPool": {
      const { poolSharesTrustLineCount, totalPoolShares } = data.liquidityPool.body.constantProduct
      const pool = bytesId(data.liquidityPool.liquidityPoolId.value)
      scale("lines of pool", pool, poolSharesTrustLineCount)
      return scale("shares of pool", pool, totalPoolShares)
    }
    default:
  }
}

const weighAccount = (account: xdr.AccountEntry, scale: Scale): void => {
  const name = accountId(account.accountId)
  const { buying, selling } = liabilitiesOf(account)
  const { numSponsored, numSponsoring, signerSponsors } = sponsorshipOf(account)
  scale("sub-entries of", name, BigInt(account.numSubEntries - account.signers.length))
  scale("sponsored by", name, BigInt(numSponsoring))
  scale("sponsored for", name, BigInt(numSponsored))
  scale("buying liabilities of", `${name} native`, buying)
  scale("selling liabilities of", `${name} native`, selling)
  for (const sponsor of signerSponsors) {
    if (sponsor === null) continue
    scale("sponsored by", accountId(sponsor), -1n)
    scale("sponsored for", name, -1n)
  }
}

const weighTrustline = (line: xdr.TrustLineEntry, state: LedgerState, scale: Scale): void => {
  const { asset } = line
  // Most lines have none of these, and their names take longest.
  if (line.ext.type !== "v0") {
    const name = `${accountId(line.accountId)} ${assetId(asset)}`
    const { buying, selling } = lineLiabilities(line)
    scale("buying liabilities of", name, buying)
    scale("selling liabilities of", name, selling)
    if (asset.type !== "assetTypePoolShare") scale("pool uses of", name, BigInt(poolUseCount(line)))
  }
  if (asset.type !== "assetTypePoolShare") return
  const pool = bytesId(asset.liquidityPoolId.value)
  scale("lines of pool", pool, -1n)
  scale("shares of pool", pool, -line.balance)
  const found = state.find(poolEntryId(asset.liquidityPoolId))?.data
  if (found?.type !== "liquidityPool") return
  const { assetA, assetB } = found.liquidityPool.body.constantProduct.params
  for (const used of [assetA, assetB]) {
    if (!isNative(used) && !isIssuer(line.accountId, used)) scale("pool uses of", holdingName(line.accountId, used), -1n)
  }
}

const weighOffer = ({ amount, buying, price, sellerId, selling }: xdr.OfferEntry, scale: Scale): void => {
  const liabilities = offerLiabilities(price, amount)
  if (!isIssuer(sellerId, buying)) scale("buying liabilities of", holdingName(sellerId, buying), -liabilities.buying)
  if (!isIssuer(sellerId, selling)) scale("selling liabilities of", holdingName(sellerId, selling), -liabilities.selling)
}

const within = (what: string, amount: bigint, min: bigint, max: bigint): ReadonlyArray<string> =>
  amount >= min && amount <= max ? [] : [`${what} is outside its bounds`]

/** The bounds that one entry breaks by itself. Relations between entries are not checked here. */
const boundsBroken = (entry: xdr.LedgerEntry, state: LedgerState): ReadonlyArray<string> => {
  switch (entry.data.type) {
    case "account":
      return accountBounds(entry.data.account, state)
    case "trustline":
      return trustlineBounds(entry.data.trustLine)
    case "offer":
      return offerBounds(entry.data.offer, state)
    case "liquidityPool":
      return poolBounds(entry.data.liquidityPool)
    case "claimableBalance":
      return entrySponsor(entry) === undefined || entry.data.claimableBalance.amount <= 0n
        ? [`${idOfEntry(entry)} is malformed`]
        : []
    default:
      return []
  }
}

const accountBounds = (account: xdr.AccountEntry, state: LedgerState): ReadonlyArray<string> => {
  const name = accountId(account.accountId)
  const { buying, selling } = liabilitiesOf(account)
  const isSorted = account.signers.every(({ key }, at) => {
    const before = account.signers[at - 1]
    return before === undefined || compareSignerKeys(before.key, key) < 0
  })
  return [
    ...within(`the balance of ${name}`, account.balance, 0n, int64Max - buying),
    ...(selling === 0n
      ? []
      : within(`the balance of ${name} above its offers`, account.balance, minBalance(state.header, account) + selling, int64Max)),
    ...(sponsorshipOf(account).signerSponsors.length === account.signers.length
      ? []
      : [`the signer sponsors of ${name} are not one a signer`]),
    ...(isSorted ? [] : [`the signers of ${name} are out of order`])
  ]
}

const trustlineBounds = (line: xdr.TrustLineEntry): ReadonlyArray<string> => {
  const { buying, selling } = lineLiabilities(line)
  const isWithin = line.balance >= selling && line.balance <= line.limit - buying
  return isWithin ? [] : [`the balance of ${accountId(line.accountId)} ${assetId(line.asset)} is outside its bounds`]
}

const offerBounds = ({ amount, buying, offerId, sellerId, selling }: xdr.OfferEntry, state: LedgerState): ReadonlyArray<string> => [
  ...within(`the amount of offer ${offerId}`, amount, 1n, int64Max),
  ...within(`the id of offer ${offerId}`, offerId, 1n, state.header.idPool),
  ...[selling, buying]
    .filter((asset) => !isNative(asset) && !isIssuer(sellerId, asset))
    .filter((asset) => state.find(idOf(keyOfTrustline(sellerId, toTrustlineAsset(asset)))) === undefined)
    .map((asset) => `offer ${offerId} has no trustline for ${assetId(asset)}`)
]

const poolBounds = ({ body, liquidityPoolId }: xdr.LiquidityPoolEntry): ReadonlyArray<string> => {
  const pool = bytesId(liquidityPoolId.value)
  const { poolSharesTrustLineCount, reserveA, reserveB, totalPoolShares } = body.constantProduct
  return [
    ...within(`the number of lines of pool ${pool}`, poolSharesTrustLineCount, 1n, int64Max),
    ...within(`the reserves of pool ${pool}`, reserveA < reserveB ? reserveA : reserveB, totalPoolShares === 0n ? 0n : 1n, int64Max)
  ]
}

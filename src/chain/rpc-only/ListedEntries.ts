import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { assetIdOf } from "../../stellar/Assets.ts"
import { liabilitiesOf, sponsorOf, sponsorshipsOf } from "../../stellar/Entries.ts"
import { trustlineFlags } from "../../stellar/Flags.ts"
import { addressOf, balanceIdOf, poolIdOf, predicateOf, signerKeyOf } from "../../stellar/Names.ts"
import type { AccountRecord, LineRecord, PoolShareRecord, SignerRecord } from "../ledger-api/AccountRecord.ts"
import type { ClaimableBalanceRecord } from "../ledger-api/ClaimableBalanceRecord.ts"
import type { OfferRecord } from "../ledger-api/OfferRecord.ts"
import { ownerOf } from "./ConcernedKeys.ts"
import type { FoundEntries } from "./KnownEntries.ts"

// Ledger entries as the records that the ledger API would list for them.

const lineOf = (entry: xdr.LedgerEntry): ReadonlyArray<LineRecord> => {
  if (entry.data.type !== "trustline") return []
  const { trustLine } = entry.data
  const asset = assetIdOf(trustLine.asset)
  if (asset === null) return []
  const liabilities = liabilitiesOf(trustLine)
  return [{
    asset,
    balance: stroops(trustLine.balance),
    limit: stroops(trustLine.limit),
    buyingLiabilities: stroops(liabilities.buying),
    sellingLiabilities: stroops(liabilities.selling),
    authorized: (trustLine.flags & trustlineFlags.authorized) !== 0,
    sponsor: sponsorOf(entry),
    lastModifiedLedger: entry.lastModifiedLedgerSeq
  }]
}

const shareOf = ({ data }: xdr.LedgerEntry): ReadonlyArray<PoolShareRecord> =>
  data.type === "trustline" && data.trustLine.asset.type === "assetTypePoolShare"
    ? [{ poolId: poolIdOf(data.trustLine.asset.liquidityPoolId), balance: stroops(data.trustLine.balance) }]
    : []

/** The master key first, as the ledger API lists it too. */
const signersOf = (account: xdr.AccountEntry): ReadonlyArray<SignerRecord> => {
  const { signerSponsors } = sponsorshipsOf(account)
  return [
    { key: addressOf(account.accountId), weight: account.thresholds.value[0] ?? 0, sponsor: null },
    ...account.signers.map(({ key, weight }, at) => ({ key: signerKeyOf(key), weight, sponsor: signerSponsors[at] ?? null }))
  ]
}

/** An account with the trustlines and data entries found of it; null where its own entry is not among them. */
export const accountRecord = (address: AccountAddress, { entries, latestLedger }: FoundEntries): AccountRecord | null => {
  const own = entries.filter((entry) => ownerOf(entry) === address)
  const entry = own.find(({ data }) => data.type === "account")
  if (entry?.data.type !== "account") return null
  const { account } = entry.data
  const { numSponsored, numSponsoring } = sponsorshipsOf(account)
  return {
    address,
    sequence: account.seqNum,
    lumens: stroops(account.balance),
    lastModifiedLedger: entry.lastModifiedLedgerSeq,
    numSubEntries: account.numSubEntries,
    numSponsoring,
    numSponsored,
    sponsor: sponsorOf(entry),
    trustlines: own.flatMap(lineOf),
    poolShares: own.flatMap(shareOf),
    signers: signersOf(account),
    mediumThreshold: account.thresholds.value[2] ?? 0,
    data: new Map(
      own.flatMap(({ data }) =>
        data.type === "data" ? [[data.data.dataName.toString(), Buffer.from(data.data.dataValue.value).toString("base64")] as const] : []
      )
    ),
    latestLedger
  }
}

/** The offers among entries. */
export const offerRecords = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<OfferRecord> =>
  entries.flatMap((entry) => {
    if (entry.data.type !== "offer") return []
    const { amount, buying, offerId, price, sellerId, selling } = entry.data.offer
    return [{
      id: offerId,
      seller: addressOf(sellerId),
      selling: assetIdOf(selling),
      buying: assetIdOf(buying),
      amount: stroops(amount),
      price: { n: price.n, d: price.d },
      lastModifiedLedger: entry.lastModifiedLedgerSeq,
      sponsor: sponsorOf(entry)
    }]
  })

/** The claimable balances among entries. */
export const claimableRecords = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<ClaimableBalanceRecord> =>
  entries.flatMap((entry) => {
    if (entry.data.type !== "claimableBalance") return []
    const { amount, asset, balanceId, claimants } = entry.data.claimableBalance
    return [{
      id: balanceIdOf(balanceId),
      asset: assetIdOf(asset),
      amount: stroops(amount),
      claimants: claimants.map(({ v0 }) => ({ destination: addressOf(v0.destination), predicate: predicateOf(v0.predicate) })),
      sponsor: sponsorOf(entry),
      lastModifiedLedger: entry.lastModifiedLedgerSeq
    }]
  })

import type { xdr } from "@stellar/stellar-sdk"
import type { AccountSigner, DataEntry, OpenOffer, PoolShareEntry, SignerType, Trustline } from "../domain/Account.ts"
import { showAmount, stroops } from "../domain/Amount.ts"
import { issued } from "../domain/Asset.ts"
import { assetIdOf, poolShareTrustlineOf, trustlineAssetOf } from "../stellar/Assets.ts"
import { trustlineFlags } from "../stellar/Flags.ts"
import { addressOf, poolIdOf, signerKeyOf } from "../stellar/Names.ts"
import { dataKey, offerKey, poolKey, trustlineKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

export const trustlineKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  (account?.trustlines ?? []).map(({ asset }) => trustlineKey(address, trustlineAssetOf(asset)))

/** Lines to issued assets; pool shares are another kind. */
export const trustlines = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<Trustline> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "trustline") return []
    const { asset, balance, flags } = data.trustLine
    const id = assetIdOf(asset)
    const parts = id === null ? null : issued(id)
    if (parts === null) return []
    return [
      {
        asset: parts.id,
        balance: stroops(balance),
        authorized: (flags & trustlineFlags.authorized) !== 0,
        issuer: parts.issuer,
        code: parts.code
      }
    ]
  })

/** The line of each share, and the pool itself: a withdrawal depends on its reserves. */
export const poolShareKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  (account?.poolShares ?? []).flatMap(({ poolId }) => [trustlineKey(address, poolShareTrustlineOf(poolId)), poolKey(poolId)])

/** Lines to pool shares, empty ones too: they count as two sub-entries. */
export const poolShares = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<PoolShareEntry> =>
  entries.flatMap(({ data }) =>
    data.type === "trustline" && data.trustLine.asset.type === "assetTypePoolShare"
      ? [{ poolId: poolIdOf(data.trustLine.asset.liquidityPoolId) }]
      : []
  )

export const offerKeys = ({ address, offers }: Listing): ReadonlyArray<xdr.LedgerKey> => offers.map(({ id }) => offerKey(address, id))

export const openOffers = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<OpenOffer> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "offer") return []
    const { amount, buying, offerId, price, selling } = data.offer
    return [
      {
        id: offerId.toString(),
        selling: assetIdOf(selling),
        buying: assetIdOf(buying),
        amount: stroops(amount),
        price: showPrice(price)
      }
    ]
  })

/** A price with seven decimals, the last one rounded; the ledger holds the exact fraction. */
export const showPrice = ({ d, n }: { readonly n: number; readonly d: number }): string => {
  const [numerator, denominator] = [BigInt(n), BigInt(d)]
  return showAmount((numerator * 20_000_000n + denominator) / (2n * denominator))
}

/** A name that is no UTF-8 cannot be listed as text; its key then finds nothing and the count of sub-entries shows the gap. */
export const dataKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  Array.from(account?.data.keys() ?? [], (name) => dataKey(address, name))

export const dataEntries = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<DataEntry> =>
  entries.flatMap(({ data }) =>
    data.type === "data"
      ? [{ key: data.data.dataName.toString(), value: Buffer.from(data.data.dataValue.value).toString("base64") }]
      : []
  )

const types: Readonly<Record<xdr.SignerKey["type"], SignerType>> = {
  signerKeyTypeEd25519: "ed25519_public_key",
  signerKeyTypeHashX: "hash_x",
  signerKeyTypePreAuthTx: "preauth_tx",
  signerKeyTypeEd25519SignedPayload: "ed25519_signed_payload"
}

/** The master key first, regardless of its weight, then the signers of the account entry. */
export const signers = (account: xdr.AccountEntry): ReadonlyArray<AccountSigner> => [
  { key: addressOf(account.accountId), weight: account.thresholds.value[0] ?? 0, type: "ed25519_public_key" },
  ...account.signers.map(({ key, weight }) => ({ key: signerKeyOf(key), weight, type: types[key.type] }))
]

/** Thresholds as the account entry holds them: master weight, low, medium, high, a byte each. */
export const thresholds = (account: xdr.AccountEntry) => {
  const [, low = 0, med = 0, high = 0] = account.thresholds.value
  return { low, med, high }
}

/** How many sub-entries an entry counts as in its owner's account entry. */
const weightOf = ({ data }: xdr.LedgerEntry): number => {
  switch (data.type) {
    case "trustline":
      return data.trustLine.asset.type === "assetTypePoolShare" ? 2 : 1
    case "offer":
    case "data":
      return 1
    default:
      return 0
  }
}

/** Whether fewer sub-entries were found than the account entry counts: something is held that is not listed. */
export const subEntryMismatch = (account: xdr.AccountEntry, entries: ReadonlyArray<xdr.LedgerEntry>): boolean =>
  entries.reduce((total, entry) => total + weightOf(entry), account.signers.length) < account.numSubEntries

import type { xdr } from "@stellar/stellar-sdk"
import { keyOf, keyText } from "../xdr/LedgerKeys.ts"
import { accountId, bytesId } from "./AccountId.ts"
import { assetId } from "./Asset.ts"

/** A string equal for equal keys: what entries are stored under inside the model. */
export const idOf = (key: xdr.LedgerKey): string => {
  switch (key.type) {
    case "account":
      return accountEntryId(key.account.accountId)
    case "trustline":
      return trustlineEntryId(key.trustLine.accountId, key.trustLine.asset)
    case "offer":
      return offerEntryId(key.offer.sellerId, key.offer.offerId)
    case "data":
      return dataEntryId(key.data.accountId, key.data.dataName)
    case "claimableBalance":
      return claimableEntryId(key.claimableBalance.balanceId)
    case "liquidityPool":
      return poolEntryId(key.liquidityPool.liquidityPoolId)
    case "ttl":
      return ttlEntryId(key.ttl.keyHash)
    case "contractCode":
      return `code:${bytesId(key.contractCode.hash.value)}`
    case "configSetting":
      return `setting:${key.configSetting.configSettingId.name}`
    default:
      return keyText(key)
  }
}

/** {@link idOf} of {@link keyOf}, without building the key for the commonest kinds. */
export const idOfEntry = (entry: xdr.LedgerEntry): string => {
  const data = entry.data
  switch (data.type) {
    case "account":
      return accountEntryId(data.account.accountId)
    case "trustline":
      return trustlineEntryId(data.trustLine.accountId, data.trustLine.asset)
    case "offer":
      return offerEntryId(data.offer.sellerId, data.offer.offerId)
    case "data":
      return dataEntryId(data.data.accountId, data.data.dataName)
    case "claimableBalance":
      return claimableEntryId(data.claimableBalance.balanceId)
    case "liquidityPool":
      return poolEntryId(data.liquidityPool.liquidityPoolId)
    case "ttl":
      return ttlEntryId(data.ttl.keyHash)
    default:
      return idOf(keyOf(entry))
  }
}

/** The {@link idOf} of an account's entry, as of other kinds below, without its key. */
export const accountEntryId = (account: xdr.PublicKey): string => `account:${accountId(account)}`

export const trustlineEntryId = (account: xdr.PublicKey, asset: xdr.Asset | xdr.TrustLineAsset): string =>
  `trustline:${accountId(account)}:${assetId(asset)}`

export const offerEntryId = (seller: xdr.PublicKey, offerId: bigint): string => `offer:${accountId(seller)}:${offerId}`

export const poolEntryId = (pool: xdr.PoolId): string => `pool:${bytesId(pool.value)}`

const dataEntryId = (owner: xdr.PublicKey, { bytes }: xdr.LedgerKeyData["dataName"]): string => `data:${accountId(owner)}:${bytesId(bytes)}`

export const claimableEntryId = (balance: xdr.ClaimableBalanceId): string => `claimable:${bytesId(balance.v0.value)}`

const ttlEntryId = (keyHash: xdr.Hash): string => `ttl:${bytesId(keyHash.value)}`

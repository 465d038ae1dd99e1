import { StrKey, xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import { accountId, bytesId } from "./AccountId.ts"
import { assetId } from "./Asset.ts"
import { spelling } from "./Spelling.ts"

/** Accounts whose address was decoded. */
const decoded = textMemo(10_000, (account) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(account)))

const publicKey = (account: string): xdr.PublicKey => decoded(account)

/** Key of an account; `account` is a G address, as in every maker here. */
export const accountKey = (account: string): xdr.LedgerKey => keyOfAccount(publicKey(account))

export const trustlineKey = (account: string, asset: xdr.TrustLineAsset): xdr.LedgerKey => keyOfTrustline(publicKey(account), asset)

export const offerKey = (seller: string, offerId: bigint): xdr.LedgerKey => keyOfOffer(publicKey(seller), offerId)

export const dataKey = (account: string, name: string | Uint8Array): xdr.LedgerKey =>
  xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: publicKey(account), dataName: name }))

/** `poolId`: 32 bytes. */
export const poolKey = (poolId: Uint8Array): xdr.LedgerKey => keyOfPool(new xdr.PoolId(poolId))

/** `balanceId`: the 32-byte hash, without the four bytes of its type. */
export const claimableBalanceKey = (balanceId: Uint8Array): xdr.LedgerKey =>
  keyOfClaimableBalance(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(balanceId))

export const keyOfAccount = (accountId: xdr.PublicKey): xdr.LedgerKey => xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }))

export const keyOfTrustline = (accountId: xdr.PublicKey, asset: xdr.TrustLineAsset): xdr.LedgerKey =>
  xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }))

export const keyOfOffer = (sellerId: xdr.PublicKey, offerId: bigint): xdr.LedgerKey =>
  xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId, offerId }))

export const keyOfPool = (liquidityPoolId: xdr.PoolId): xdr.LedgerKey =>
  xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId }))

export const keyOfClaimableBalance = (balanceId: xdr.ClaimableBalanceId): xdr.LedgerKey =>
  xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId }))

/** The key an entry is stored under. */
export const keyOf = (entry: xdr.LedgerEntry): xdr.LedgerKey => {
  const data = entry.data
  switch (data.type) {
    case "account":
      return keyOfAccount(data.account.accountId)
    case "trustline":
      return keyOfTrustline(data.trustLine.accountId, data.trustLine.asset)
    case "offer":
      return keyOfOffer(data.offer.sellerId, data.offer.offerId)
    case "data":
      return xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: data.data.accountId, dataName: data.data.dataName }))
    case "claimableBalance":
      return keyOfClaimableBalance(data.claimableBalance.balanceId)
    case "liquidityPool":
      return keyOfPool(data.liquidityPool.liquidityPoolId)
    case "contractData":
      return xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: data.contractData.contract,
          key: data.contractData.key,
          durability: data.contractData.durability
        })
      )
    case "contractCode":
      return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: data.contractCode.hash }))
    case "configSetting":
      return xdr.LedgerKey.configSetting(
        new xdr.LedgerKeyConfigSetting({ configSettingId: xdr.ConfigSettingId.fromName(data.configSetting.type) })
      )
    case "ttl":
      return xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: data.ttl.keyHash }))
  }
}

/** A key's XDR, base64. Keys never change, so it is written once. */
export const keyText = objectMemo((key: xdr.LedgerKey): string => xdrBase64(key))

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

const idOfAccount = spelling((account) => `account:${bytesId(account)}`)

const idOfLine = spelling((account: Uint8Array, code: Uint8Array, issuer: Uint8Array) =>
  `trustline:${bytesId(account)}:${bytesId(code)}:${bytesId(issuer)}`
)

const idOfPool = spelling((pool) => `pool:${bytesId(pool)}`)

/** The {@link idOf} of an account's entry, as of other kinds below, without its key. */
export const accountEntryId = (account: xdr.PublicKey): string => idOfAccount(account.ed25519.value)

export const trustlineEntryId = (account: xdr.PublicKey, asset: xdr.Asset | xdr.TrustLineAsset): string => {
  switch (asset.type) {
    case "assetTypeCreditAlphanum4":
      return idOfLine(account.ed25519.value, asset.alphaNum4.assetCode.value, asset.alphaNum4.issuer.ed25519.value)
    case "assetTypeCreditAlphanum12":
      return idOfLine(account.ed25519.value, asset.alphaNum12.assetCode.value, asset.alphaNum12.issuer.ed25519.value)
    default:
      return `trustline:${accountId(account)}:${assetId(asset)}`
  }
}

export const offerEntryId = (seller: xdr.PublicKey, offerId: bigint): string => `offer:${accountId(seller)}:${offerId}`

export const poolEntryId = (pool: xdr.PoolId): string => idOfPool(pool.value)

const dataEntryId = (owner: xdr.PublicKey, { bytes }: xdr.LedgerKeyData["dataName"]): string => `data:${accountId(owner)}:${bytesId(bytes)}`

export const claimableEntryId = (balance: xdr.ClaimableBalanceId): string => `claimable:${bytesId(balance.v0.value)}`

const ttlEntryId = (keyHash: xdr.Hash): string => `ttl:${bytesId(keyHash.value)}`

import { StrKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { bytesOfHex } from "./ByteText.ts"
import { xdrBase64 } from "./XdrBytes.ts"

// Keys of ledger entries. Those named like `accountKey` take names as JSON has them; those like `keyOfAccount` take parts of XDR.

/** Accounts whose decoded address is kept. */
const mostAccounts = 10_000

/** Pools whose key is kept, with its text: every sale needs some. */
const mostPools = 2_000

/** How long an entry of a contract lives: a `persistent` one is archived when its time is over, a `temporary` one is deleted. */
export type Durability = "persistent" | "temporary"

/** The public key in an account's address. Throws where the text is no G address. */
export const publicKeyOf: (address: string) => xdr.PublicKey = textMemo(
  mostAccounts,
  (address) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))
)

/** The key of an account by its G address. */
export const accountKey = (address: string): xdr.LedgerKey => keyOfAccount(publicKeyOf(address))

export const trustlineKey = (owner: string, asset: xdr.TrustLineAsset): xdr.LedgerKey => keyOfTrustline(publicKeyOf(owner), asset)

export const offerKey = (seller: string, offerId: bigint): xdr.LedgerKey => keyOfOffer(publicKeyOf(seller), offerId)

export const dataKey = (owner: string, name: string | Uint8Array): xdr.LedgerKey => keyOfData(publicKeyOf(owner), name)

/** The key of a liquidity pool by its id, 64 hex characters. */
export const poolKey: (poolId: string) => xdr.LedgerKey = textMemo(
  mostPools,
  (poolId) => keyOfPool(new xdr.PoolId(bytesOfHex(poolId)))
)

/** The key of a claimable balance by its id, 72 hex characters: four bytes of its type, then the hash. */
export const claimableBalanceKey = (balanceId: string): xdr.LedgerKey =>
  keyOfClaimableBalance(xdr.ClaimableBalanceId.fromXdr(balanceId, "hex"))

export const keyOfAccount = (accountId: xdr.PublicKey): xdr.LedgerKey => xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }))

export const keyOfTrustline = (accountId: xdr.PublicKey, asset: xdr.TrustLineAsset): xdr.LedgerKey =>
  xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }))

export const keyOfOffer = (sellerId: xdr.PublicKey, offerId: bigint): xdr.LedgerKey =>
  xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId, offerId }))

export const keyOfData = (
  accountId: xdr.PublicKey,
  dataName: ConstructorParameters<typeof xdr.LedgerKeyData>[0]["dataName"]
): xdr.LedgerKey => xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName }))

export const keyOfPool = (liquidityPoolId: xdr.PoolId): xdr.LedgerKey =>
  xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId }))

export const keyOfClaimableBalance = (balanceId: xdr.ClaimableBalanceId): xdr.LedgerKey =>
  xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId }))

/** The key of one entry of a contract's storage. Instance storage has no keys of its own: it is part of the instance entry. */
export const keyOfContractData = (contract: xdr.ScAddress, key: xdr.ScVal, durability: Durability): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract, key, durability: xdr.ContractDataDurability[durability] })
  )

/** What a contract's instance is stored under. */
export const instanceVal = xdr.ScVal.scvLedgerKeyContractInstance()

/** The key of the entry that holds a contract's executable and its instance storage. */
export const keyOfInstance = (contract: xdr.ScAddress): xdr.LedgerKey => keyOfContractData(contract, instanceVal, "persistent")

/** The key of contract code by its SHA-256, 32 bytes. */
export const keyOfCode = (hash: Uint8Array): xdr.LedgerKey => xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }))

/** The key of the entry in which an owner says which code runs under a name of its own (CAP-85): a persistent entry of 32 bytes. */
export const keyOfCodeName = ({ executableOwner, tag }: xdr.ContractExecutableExternalRef): xdr.LedgerKey =>
  keyOfContractData(executableOwner, xdr.ScVal.scvExecutableTag(tag), "persistent")

/** The key of a nonce that an authorization has used up. */
export const keyOfNonce = (address: xdr.ScAddress, nonce: bigint): xdr.LedgerKey =>
  keyOfContractData(address, xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })), "temporary")

/** The key of the entry that says how long another lives; `keyHash`: SHA-256 of the other's key. */
export const keyOfTtl = (keyHash: xdr.Hash | Uint8Array): xdr.LedgerKey => xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash }))

/** The key of a setting that validators vote on. */
export const keyOfConfigSetting = (configSettingId: xdr.ConfigSettingId): xdr.LedgerKey =>
  xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId }))

/** The key that an entry is stored under: the same object for the same entry, so that its text is written once. */
export const keyOfEntryData: (data: xdr.LedgerEntryData) => xdr.LedgerKey = objectMemo((data) => keyFor(data))

/** {@link keyOfEntryData} of a whole entry. */
export const keyOf = (entry: xdr.LedgerEntry): xdr.LedgerKey => keyOfEntryData(entry.data)

const keyFor = (data: xdr.LedgerEntryData): xdr.LedgerKey => {
  switch (data.type) {
    case "account":
      return keyOfAccount(data.account.accountId)
    case "trustline":
      return keyOfTrustline(data.trustLine.accountId, data.trustLine.asset)
    case "offer":
      return keyOfOffer(data.offer.sellerId, data.offer.offerId)
    case "data":
      return keyOfData(data.data.accountId, data.data.dataName)
    case "claimableBalance":
      return keyOfClaimableBalance(data.claimableBalance.balanceId)
    case "liquidityPool":
      return keyOfPool(data.liquidityPool.liquidityPoolId)
    case "contractData":
      return keyOfContractData(data.contractData.contract, data.contractData.key, data.contractData.durability.name)
    case "contractCode":
      return keyOfCode(data.contractCode.hash.value)
    case "configSetting":
      return keyOfConfigSetting(xdr.ConfigSettingId.fromName(data.configSetting.type))
    case "ttl":
      return keyOfTtl(data.ttl.keyHash)
  }
}

/** Text equal for equal keys: the key's XDR in base64, as it goes over the wire. Keys never change, so it is written once. */
export const keyText: (key: xdr.LedgerKey) => string = objectMemo((key) => xdrBase64(key))

/** The keys without duplicates, each at its first place. */
export const distinctKeys = (keys: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<xdr.LedgerKey> => [
  ...new Map(keys.map((key) => [keyText(key), key])).values()
]

import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import type { BalanceId, PoolId } from "../domain/Ledger.ts"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import { publicKeyOf } from "./Names.ts"

/** Keys of pools that are kept, with their texts: every sale asks for one. */
const mostPools = 2_000

export const accountKey = (address: AccountAddress): xdr.LedgerKey =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: publicKeyOf(address) }))

export const trustlineKey = (owner: AccountAddress, asset: xdr.TrustLineAsset): xdr.LedgerKey =>
  xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: publicKeyOf(owner), asset }))

export const offerKey = (seller: AccountAddress, offerId: bigint): xdr.LedgerKey =>
  xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId: publicKeyOf(seller), offerId }))

export const dataKey = (owner: AccountAddress, name: string | Uint8Array): xdr.LedgerKey =>
  xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: publicKeyOf(owner), dataName: name }))

const keysOfPools = textMemo(
  mostPools,
  (poolId) => xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: new xdr.PoolId(Buffer.from(poolId, "hex")) }))
)

export const poolKey = (poolId: PoolId): xdr.LedgerKey => keysOfPools(poolId)

export const claimableBalanceKey = (id: BalanceId): xdr.LedgerKey =>
  xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId: xdr.ClaimableBalanceId.fromXdr(id, "hex") }))

/** The key an entry stands under in the ledger: the same one for the same entry, so that its text need not be written once more. */
export const keyOf: (entry: xdr.LedgerEntryData) => xdr.LedgerKey = objectMemo((entry) => keyFor(entry))

const keyFor = (entry: xdr.LedgerEntryData): xdr.LedgerKey => {
  switch (entry.type) {
    case "account":
      return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: entry.account.accountId }))
    case "trustline":
      return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: entry.trustLine.accountId, asset: entry.trustLine.asset }))
    case "offer":
      return xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId: entry.offer.sellerId, offerId: entry.offer.offerId }))
    case "data":
      return xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: entry.data.accountId, dataName: entry.data.dataName }))
    case "claimableBalance":
      return xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId: entry.claimableBalance.balanceId }))
    case "liquidityPool":
      return xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: entry.liquidityPool.liquidityPoolId }))
    case "contractData":
      return xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: entry.contractData.contract,
          key: entry.contractData.key,
          durability: entry.contractData.durability
        })
      )
    case "contractCode":
      return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: entry.contractCode.hash }))
    case "configSetting":
      return xdr.LedgerKey.configSetting(
        new xdr.LedgerKeyConfigSetting({ configSettingId: xdr.ConfigSettingId.fromName(entry.configSetting.type) })
      )
    case "ttl":
      return xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: entry.ttl.keyHash }))
  }
}

/** Text equal for equal keys: the key's XDR, as it goes over the wire. Keys never change, so it is written once. */
export const keyText = objectMemo((key: xdr.LedgerKey): string => xdrBase64(key))

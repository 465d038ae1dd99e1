import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount, keyOfTrustline } from "../../xdr/LedgerKeys.ts"
import { isIssuer, isNative, issuerOf, toTrustlineAsset } from "../Asset.ts"
import { AccountFlag, hasFlag, withFields } from "../entries/Account.ts"
import { TrustlineFlag } from "../entries/Trustline.ts"
import { int64Max } from "../Int64.ts"
import { maxSubEntries } from "../Reserves.ts"
import { AssetError } from "./AssetError.ts"
import { assetOf } from "./AssetInstance.ts"
import { accountRange, findAccount, putAccount } from "./ClassicBalance.ts"
import type { Frame } from "./Frame.ts"
import { contractFail, hostFail } from "./HostError.ts"

/**
 * Gives an account an unlimited trustline for the asset (CAP-73), with its agreement. Does nothing for a contract, or
 * where there is a line already.
 */
export const trust = (frame: Frame, address: xdr.ScAddress): void => {
  if (address.type === "scAddressTypeContract") return
  const { accountId } = address.type === "scAddressTypeAccount" ? address : hostFail("Object", "InternalError")
  const asset = assetOf(frame)
  if (isNative(asset)) contractFail(AssetError.notSupported, "trust operation is not supported for native asset")
  if (isIssuer(accountId, asset)) contractFail(AssetError.notSupported, "cannot create trustline for issuer")
  const { storage, header } = frame.engine
  const key = keyOfTrustline(accountId, toTrustlineAsset(asset))
  if (storage.has(key)) return

  frame.requireAuth(address)
  const flags = flagsOf(frame, issuerOf(asset) ?? hostFail("Storage", "InternalError"))
  const account = findAccount(frame, accountId) ?? contractFail(AssetError.accountMissing, "account entry is missing")
  if (account.numSubEntries >= maxSubEntries) {
    contractFail(AssetError.tooManySubEntries, "account has reached maximum number of sub-entries")
  }
  if (account.balance < accountRange(frame, account).min + BigInt(header.baseReserve)) {
    contractFail(AssetError.insufficientAccountReserve, "account has insufficient reserve for new trustline")
  }
  const line = new xdr.TrustLineEntry({
    accountId,
    asset: toTrustlineAsset(asset),
    balance: 0n,
    limit: int64Max,
    flags,
    ext: xdr.TrustLineEntryExt.v0()
  })
  storage.put(key, xdr.LedgerEntryData.trustline(line))
  putAccount(frame, withFields(account, { numSubEntries: account.numSubEntries + 1 }))
}

const flagsOf = ({ engine }: Frame, issuer: xdr.PublicKey): number => {
  const { data } = engine.storage.require(keyOfAccount(issuer))
  if (data.type !== "account") return hostFail("Storage", "InternalError")
  return (
    (hasFlag(data.account, AccountFlag.authRequired) ? 0 : TrustlineFlag.authorized) |
    (hasFlag(data.account, AccountFlag.clawbackEnabled) ? TrustlineFlag.clawbackEnabled : 0)
  )
}

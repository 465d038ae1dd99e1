import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount, keyOfTrustline } from "../../xdr/LedgerKeys.ts"
import { isIssuer, isNative, issuerOf, toTrustlineAsset } from "../Asset.ts"
import { AccountFlag, hasFlag } from "../entries/Account.ts"
import { isAuthorized, isClawbackEnabled, TrustlineFlag, withLine } from "../entries/Trustline.ts"
import { ledgersPerDay } from "../Header.ts"
import { int64Max } from "../Int64.ts"
import { AssetError } from "./AssetError.ts"
import { assetOf } from "./AssetInstance.ts"
import { addToAccount, addToLine, readAccountBalance, readLineBalance } from "./ClassicBalance.ts"
import type { Frame } from "./Frame.ts"
import { contractFail, hostFail } from "./HostError.ts"
import { addressVal, asBool, asI128, bool, field, i128, struct, variant } from "./Values.ts"

const extendTo = 30 * ledgersPerDay
const extendBelow = extendTo - ledgersPerDay

/** What the contract keeps for a holder that is a contract itself. */
interface ContractBalance {
  readonly amount: bigint
  readonly authorized: boolean
  readonly clawback: boolean
}

/** Key of a contract's balance, among the persistent entries of the asset's contract. */
export const balanceKey = (holder: xdr.ScAddress): xdr.ScVal => variant("Balance", addressVal(holder))

const readContractBalance = ({ persistent }: Frame, holder: xdr.ScAddress): ContractBalance | undefined => {
  const value = persistent.get(balanceKey(holder))
  return value === undefined
    ? undefined
    : {
      amount: asI128(field(value, "amount")),
      authorized: asBool(field(value, "authorized")),
      clawback: asBool(field(value, "clawback"))
    }
}

const writeContractBalance = ({ persistent }: Frame, holder: xdr.ScAddress, balance: ContractBalance): void => {
  const key = balanceKey(holder)
  persistent.set(
    key,
    struct({ amount: i128(balance.amount), authorized: bool(balance.authorized), clawback: bool(balance.clawback) })
  )
  persistent.extend(key, extendBelow, extendTo)
}

const hasIssuerFlag = (frame: Frame, flag: number): boolean => {
  const issuer = issuerOf(assetOf(frame))
  if (issuer === undefined) return false
  const { data } = frame.engine.storage.require(keyOfAccount(issuer))
  return data.type === "account" && hasFlag(data.account, flag)
}

/** The trustline of an account for the asset, which must be there. */
const lineOf = (frame: Frame, account: xdr.PublicKey): xdr.TrustLineEntry => {
  const key = keyOfTrustline(account, toTrustlineAsset(assetOf(frame)))
  const data = frame.engine.storage.get(key)?.data
  if (data === undefined) return contractFail(AssetError.trustlineMissing, "trustline entry is missing for account")
  return data.type === "trustline" ? data.trustLine : hostFail("Storage", "InternalError", "unexpected entry found")
}

const putLine = (frame: Frame, line: xdr.TrustLineEntry): void =>
  frame.engine.storage.put(keyOfTrustline(line.accountId, line.asset), xdr.LedgerEntryData.trustline(line))

/** Base units. An issuer's balance of its own asset has no end. */
export const readBalance = (frame: Frame, holder: xdr.ScAddress): bigint => {
  switch (holder.type) {
    case "scAddressTypeAccount": {
      const asset = assetOf(frame)
      if (isNative(asset)) return readAccountBalance(frame, holder.accountId)
      return isIssuer(holder.accountId, asset) ? int64Max : readLineBalance(lineOf(frame, holder.accountId))
    }
    case "scAddressTypeContract": {
      const balance = readContractBalance(frame, holder)
      if (balance !== undefined) frame.persistent.extend(balanceKey(holder), extendBelow, extendTo)
      return balance?.amount ?? 0n
    }
    default:
      return hostFail("Object", "InternalError", "Unexpected ScAddress type")
  }
}

/** Whether the issuer lets the holder send and receive. */
export const isHolderAuthorized = (frame: Frame, holder: xdr.ScAddress): boolean => {
  if (holder.type === "scAddressTypeAccount") {
    const asset = assetOf(frame)
    return isNative(asset) || isIssuer(holder.accountId, asset) || isAuthorized(lineOf(frame, holder.accountId))
  }
  return readContractBalance(frame, holder)?.authorized ?? !hasIssuerFlag(frame, AccountFlag.authRequired)
}

const requireAuthorized = (frame: Frame, holder: xdr.ScAddress): void => {
  if (!isHolderAuthorized(frame, holder)) contractFail(AssetError.balanceDeauthorized, "balance is deauthorized")
}

const addToHolder = (frame: Frame, account: xdr.PublicKey, amount: bigint): void => {
  if (amount > int64Max || amount < -int64Max) contractFail(AssetError.overflow, "the amount is too large for an i64")
  const asset = assetOf(frame)
  if (isNative(asset)) return addToAccount(frame, account, amount)
  if (!isIssuer(account, asset)) putLine(frame, addToLine(lineOf(frame, account), amount))
}

export const receiveBalance = (frame: Frame, holder: xdr.ScAddress, amount: bigint): void => {
  requireAuthorized(frame, holder)
  if (holder.type === "scAddressTypeAccount") return addToHolder(frame, holder.accountId, amount)
  const balance = readContractBalance(frame, holder) ?? newContractBalance(frame, true)
  if (balance.amount + amount >= 1n << 127n) contractFail(AssetError.overflow, "balance overflow")
  writeContractBalance(frame, holder, { ...balance, amount: balance.amount + amount })
}

const newContractBalance = (frame: Frame, authorized: boolean): ContractBalance => ({
  amount: 0n,
  authorized,
  clawback: hasIssuerFlag(frame, AccountFlag.clawbackEnabled)
})

export const spendBalance = (frame: Frame, holder: xdr.ScAddress, amount: bigint): void => {
  requireAuthorized(frame, holder)
  takeBalance(frame, holder, amount)
}

/** Takes from a holder regardless of its authorization: what a clawback does. */
export const takeBalance = (frame: Frame, holder: xdr.ScAddress, amount: bigint): void => {
  if (holder.type === "scAddressTypeAccount") return addToHolder(frame, holder.accountId, -amount)
  const balance = readContractBalance(frame, holder)
  if ((balance?.amount ?? 0n) < amount) contractFail(AssetError.balance, "balance is not sufficient to spend")
  if (balance !== undefined) writeContractBalance(frame, holder, { ...balance, amount: balance.amount - amount })
}

/** Fails unless the issuer may take the asset back from the holder. */
export const requireClawback = (frame: Frame, holder: xdr.ScAddress): void => {
  if (holder.type === "scAddressTypeAccount") {
    const asset = assetOf(frame)
    if (isNative(asset)) contractFail(AssetError.notSupported, "cannot clawback native asset")
    if (isIssuer(holder.accountId, asset)) contractFail(AssetError.notSupported, "cannot clawback from issuer")
    if (!isClawbackEnabled(lineOf(frame, holder.accountId))) contractFail(AssetError.balance, "trustline isn't clawbackable")
    return
  }
  if (readContractBalance(frame, holder)?.clawback !== true) contractFail(AssetError.balance, "balance isn't clawbackable")
}

/** Lets a holder use the asset, or no longer. A trustline keeps its offers and pool shares either way. */
export const setHolderAuthorized = (frame: Frame, holder: xdr.ScAddress, authorize: boolean): void => {
  if (!authorize && !hasIssuerFlag(frame, AccountFlag.authRevocable)) {
    contractFail(AssetError.notSupported, "issuer does not have AUTH_REVOCABLE set")
  }
  if (holder.type === "scAddressTypeAccount") {
    const asset = assetOf(frame)
    if (isNative(asset) || isIssuer(holder.accountId, asset)) contractFail(AssetError.notSupported, "expected trustline asset")
    const line = lineOf(frame, holder.accountId)
    if (isAuthorized(line) === authorize) return
    const { authorized, maintainLiabilities } = TrustlineFlag
    const [on, off] = authorize ? [authorized, maintainLiabilities] : [maintainLiabilities, authorized]
    return putLine(frame, withLine(line, { flags: (line.flags & ~off) | on }))
  }
  const balance = readContractBalance(frame, holder) ?? newContractBalance(frame, authorize)
  writeContractBalance(frame, holder, { ...balance, authorized: authorize })
}

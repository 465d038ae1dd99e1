import { xdr } from "@stellar/stellar-sdk"
import { isNative } from "../Asset.ts"
import { ledgersPerDay } from "../Header.ts"
import { readAllowance, spendAllowance, writeAllowance } from "./AssetAllowance.ts"
import {
  isHolderAuthorized,
  readBalance,
  receiveBalance,
  requireClawback,
  setHolderAuthorized,
  spendBalance,
  takeBalance
} from "./AssetBalance.ts"
import { AssetError } from "./AssetError.ts"
import { emitApprove, emitBurn, emitClawback, emitMint, emitSetAdmin, emitSetAuthorized, emitTransfer, isIssuerOf } from "./AssetEvents.ts"
import { adminOf, assetDecimals, assetOf, nameVal, setAdmin, symbolVal } from "./AssetInstance.ts"
import { trust } from "./AssetTrust.ts"
import { builtInFunction, type ContractFunction } from "./Contract.ts"
import type { Frame } from "./Frame.ts"
import { contractFail } from "./HostError.ts"
import { accountAddress, addressVal, asAddress, bool, i128, u32, voidVal } from "./Values.ts"

const extendTo = 7 * ledgersPerDay
const extendBelow = extendTo - ledgersPerDay

const requireAmount = (amount: bigint): void => {
  if (amount < 0n) contractFail(AssetError.negativeAmount, "negative amount is not allowed")
}

const requireIssued = (frame: Frame): void => {
  if (isNative(assetOf(frame))) contractFail(AssetError.notSupported, "operation invalid on native asset")
}

const requireNotIssuer = (frame: Frame, address: xdr.ScAddress): void => {
  if (isIssuerOf(frame, address)) contractFail(AssetError.notSupported, "operation invalid on issuer")
}

const extend = ({ extendInstance }: Frame): void => extendInstance(extendBelow, extendTo)

/** Receiver of a transfer: an account, a contract, or an account with an id of the receiver's own behind it. */
const receiverOf = (value: xdr.ScVal): { readonly to: xdr.ScAddress; readonly muxedId: bigint | undefined } => {
  if (value.type !== "scvAddress" || value.address.type !== "scAddressTypeMuxedAccount") return { to: asAddress(value), muxedId: undefined }
  const { ed25519, id } = value.address.muxedAccount
  return { to: accountAddress(xdr.PublicKey.publicKeyTypeEd25519(ed25519)), muxedId: id }
}

const asAdmin = (frame: Frame): xdr.ScAddress => {
  const admin = adminOf(frame)
  frame.requireAuth(admin)
  extend(frame)
  return admin
}

/** Functions of the Stellar Asset Contract (CAP-46-6, CAP-67, CAP-73), checks in the order of the host's own. */
const functions: Readonly<Record<string, ContractFunction<Frame>>> = {
  allowance: builtInFunction(["address", "address"], (frame: Frame, [from, spender]) => {
    extend(frame)
    return i128(readAllowance(frame, from, spender))
  }),
  approve: builtInFunction(["address", "address", "i128", "u32"], (frame: Frame, [from, spender, amount, liveUntil]) => {
    requireAmount(amount)
    frame.requireAuth(from)
    extend(frame)
    const allowance = { from, spender, amount, liveUntil }
    writeAllowance(frame, allowance)
    emitApprove(frame, allowance)
    return voidVal
  }),
  balance: builtInFunction(["address"], (frame: Frame, [holder]) => {
    extend(frame)
    return i128(readBalance(frame, holder))
  }),
  authorized: builtInFunction(["address"], (frame: Frame, [holder]) => {
    extend(frame)
    return bool(isHolderAuthorized(frame, holder))
  }),
  transfer: builtInFunction(["address", "value", "i128"], (frame: Frame, [from, receiver, amount]) => {
    const { muxedId, to } = receiverOf(receiver)
    requireAmount(amount)
    frame.requireAuth(from)
    extend(frame)
    spendBalance(frame, from, amount)
    receiveBalance(frame, to, amount)
    emitTransfer(frame, { from, to, muxedId, amount })
    return voidVal
  }),
  transfer_from: builtInFunction(["address", "address", "address", "i128"], (frame: Frame, [spender, from, to, amount]) => {
    requireAmount(amount)
    frame.requireAuth(spender)
    extend(frame)
    spendAllowance(frame, from, spender, amount)
    spendBalance(frame, from, amount)
    receiveBalance(frame, to, amount)
    emitTransfer(frame, { from, to, muxedId: undefined, amount })
    return voidVal
  }),
  burn: builtInFunction(["address", "i128"], (frame: Frame, [from, amount]) => {
    requireAmount(amount)
    requireIssued(frame)
    requireNotIssuer(frame, from)
    frame.requireAuth(from)
    extend(frame)
    spendBalance(frame, from, amount)
    emitBurn(frame, from, amount)
    return voidVal
  }),
  burn_from: builtInFunction(["address", "address", "i128"], (frame: Frame, [spender, from, amount]) => {
    requireAmount(amount)
    requireIssued(frame)
    requireNotIssuer(frame, from)
    frame.requireAuth(spender)
    extend(frame)
    spendAllowance(frame, from, spender, amount)
    spendBalance(frame, from, amount)
    emitBurn(frame, from, amount)
    return voidVal
  }),
  clawback: builtInFunction(["address", "i128"], (frame: Frame, [from, amount]) => {
    requireAmount(amount)
    requireClawback(frame, from)
    requireNotIssuer(frame, from)
    asAdmin(frame)
    takeBalance(frame, from, amount)
    emitClawback(frame, from, amount)
    return voidVal
  }),
  set_authorized: builtInFunction(["address", "bool"], (frame: Frame, [holder, authorize]) => {
    asAdmin(frame)
    setHolderAuthorized(frame, holder, authorize)
    emitSetAuthorized(frame, holder, authorize)
    return voidVal
  }),
  mint: builtInFunction(["address", "i128"], (frame: Frame, [to, amount]) => {
    requireAmount(amount)
    requireNotIssuer(frame, to)
    asAdmin(frame)
    receiveBalance(frame, to, amount)
    emitMint(frame, to, amount)
    return voidVal
  }),
  set_admin: builtInFunction(["address"], (frame: Frame, [next]) => {
    const admin = asAdmin(frame)
    setAdmin(frame, next)
    emitSetAdmin(frame, admin, next)
    return voidVal
  }),
  admin: builtInFunction([], (frame: Frame) => addressVal(adminOf(frame))),
  decimals: builtInFunction([], () => u32(assetDecimals)),
  name: builtInFunction([], nameVal),
  symbol: builtInFunction([], symbolVal),
  trust: builtInFunction(["address"], (frame: Frame, [address]) => {
    extend(frame)
    trust(frame, address)
    return voidVal
  })
}

/** A function of the asset contract by name. */
export const nativeAssetFunction = (name: string): ContractFunction<Frame> | undefined =>
  Object.hasOwn(functions, name) ? functions[name] : undefined

import type { xdr } from "@stellar/stellar-sdk"
import { isIssuer } from "../Asset.ts"
import type { Allowance } from "./AssetAllowance.ts"
import { assetOf, nameVal } from "./AssetInstance.ts"
import type { Frame } from "./Frame.ts"
import { addressVal, bool, i128, sameAddress, struct, symbol, u32, u64, vec } from "./Values.ts"

const emit = (frame: Frame, kind: string, addresses: ReadonlyArray<xdr.ScAddress>, data: xdr.ScVal): void =>
  frame.emit([symbol(kind), ...addresses.map(addressVal), nameVal(frame)], data)

/** Whether an address issues the asset of the contract. */
export const isIssuerOf = (frame: Frame, address: xdr.ScAddress): boolean =>
  address.type === "scAddressTypeAccount" && isIssuer(address.accountId, assetOf(frame))

const amountVal = (amount: bigint, muxedId: bigint | undefined): xdr.ScVal =>
  muxedId === undefined ? i128(amount) : struct({ amount: i128(amount), to_muxed_id: u64(muxedId) })

/** An amount, in base units, that goes from one holder to another, `muxedId` being the receiver's own. */
export interface Transfer {
  readonly from: xdr.ScAddress
  readonly to: xdr.ScAddress
  readonly muxedId: bigint | undefined
  readonly amount: bigint
}

/** A transfer; from the issuer it is a mint, to the issuer a burn (CAP-67). */
export const emitTransfer = (frame: Frame, { amount, from, muxedId, to }: Transfer): void => {
  if (sameAddress(from, to)) return emit(frame, "transfer", [from, to], amountVal(amount, muxedId))
  if (isIssuerOf(frame, from)) return emit(frame, "mint", [to], amountVal(amount, muxedId))
  if (isIssuerOf(frame, to)) return emitBurn(frame, from, amount)
  emit(frame, "transfer", [from, to], amountVal(amount, muxedId))
}

export const emitApprove = (frame: Frame, { amount, from, liveUntil, spender }: Allowance): void =>
  emit(frame, "approve", [from, spender], vec(i128(amount), u32(liveUntil)))

export const emitMint = (frame: Frame, to: xdr.ScAddress, amount: bigint): void => emit(frame, "mint", [to], i128(amount))

export const emitBurn = (frame: Frame, from: xdr.ScAddress, amount: bigint): void => emit(frame, "burn", [from], i128(amount))

export const emitClawback = (frame: Frame, from: xdr.ScAddress, amount: bigint): void => emit(frame, "clawback", [from], i128(amount))

export const emitSetAuthorized = (frame: Frame, address: xdr.ScAddress, authorize: boolean): void =>
  emit(frame, "set_authorized", [address], bool(authorize))

export const emitSetAdmin = (frame: Frame, admin: xdr.ScAddress, next: xdr.ScAddress): void =>
  emit(frame, "set_admin", [admin], addressVal(next))

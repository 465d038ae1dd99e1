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
import type { Frame } from "./Frame.ts"
import { contractFail, hostFail } from "./HostError.ts"
import { accountAddress, addressVal, asAddress, asBool, asI128, asU32, bool, i128, u32, voidVal } from "./Values.ts"

const extendTo = 7 * ledgersPerDay
const extendBelow = extendTo - ledgersPerDay

/** A function of the contract every classic asset has, over values as they come. */
export interface NativeFunction {
  readonly arity: number
  readonly run: (frame: Frame, args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
}

/** Argument by place; the arity is checked before. */
const at = (args: ReadonlyArray<xdr.ScVal>, place: number): xdr.ScVal => args[place] ?? hostFail("Context", "UnexpectedSize")

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
const functions: Readonly<Record<string, NativeFunction>> = {
  allowance: {
    arity: 2,
    run: (frame, args) => {
      const [from, spender] = [asAddress(at(args, 0)), asAddress(at(args, 1))]
      extend(frame)
      return i128(readAllowance(frame, from, spender))
    }
  },
  approve: {
    arity: 4,
    run: (frame, args) => {
      const [from, spender, amount, liveUntil] = [asAddress(at(args, 0)), asAddress(at(args, 1)), asI128(at(args, 2)), asU32(at(args, 3))]
      requireAmount(amount)
      frame.requireAuth(from)
      extend(frame)
      const allowance = { from, spender, amount, liveUntil }
      writeAllowance(frame, allowance)
      emitApprove(frame, allowance)
      return voidVal
    }
  },
  balance: {
    arity: 1,
    run: (frame, args) => {
      const holder = asAddress(at(args, 0))
      extend(frame)
      return i128(readBalance(frame, holder))
    }
  },
  authorized: {
    arity: 1,
    run: (frame, args) => {
      const holder = asAddress(at(args, 0))
      extend(frame)
      return bool(isHolderAuthorized(frame, holder))
    }
  },
  transfer: {
    arity: 3,
    run: (frame, args) => {
      const [from, { muxedId, to }, amount] = [asAddress(at(args, 0)), receiverOf(at(args, 1)), asI128(at(args, 2))]
      requireAmount(amount)
      frame.requireAuth(from)
      extend(frame)
      spendBalance(frame, from, amount)
      receiveBalance(frame, to, amount)
      emitTransfer(frame, { from, to, muxedId, amount })
      return voidVal
    }
  },
  transfer_from: {
    arity: 4,
    run: (frame, args) => {
      const [spender, from, to, amount] = [asAddress(at(args, 0)), asAddress(at(args, 1)), asAddress(at(args, 2)), asI128(at(args, 3))]
      requireAmount(amount)
      frame.requireAuth(spender)
      extend(frame)
      spendAllowance(frame, from, spender, amount)
      spendBalance(frame, from, amount)
      receiveBalance(frame, to, amount)
      emitTransfer(frame, { from, to, muxedId: undefined, amount })
      return voidVal
    }
  },
  burn: {
    arity: 2,
    run: (frame, args) => {
      const [from, amount] = [asAddress(at(args, 0)), asI128(at(args, 1))]
      requireAmount(amount)
      requireIssued(frame)
      requireNotIssuer(frame, from)
      frame.requireAuth(from)
      extend(frame)
      spendBalance(frame, from, amount)
      emitBurn(frame, from, amount)
      return voidVal
    }
  },
  burn_from: {
    arity: 3,
    run: (frame, args) => {
      const [spender, from, amount] = [asAddress(at(args, 0)), asAddress(at(args, 1)), asI128(at(args, 2))]
      requireAmount(amount)
      requireIssued(frame)
      requireNotIssuer(frame, from)
      frame.requireAuth(spender)
      extend(frame)
      spendAllowance(frame, from, spender, amount)
      spendBalance(frame, from, amount)
      emitBurn(frame, from, amount)
      return voidVal
    }
  },
  clawback: {
    arity: 2,
    run: (frame, args) => {
      const [from, amount] = [asAddress(at(args, 0)), asI128(at(args, 1))]
      requireAmount(amount)
      requireClawback(frame, from)
      requireNotIssuer(frame, from)
      asAdmin(frame)
      takeBalance(frame, from, amount)
      emitClawback(frame, from, amount)
      return voidVal
    }
  },
  set_authorized: {
    arity: 2,
    run: (frame, args) => {
      const [holder, authorize] = [asAddress(at(args, 0)), asBool(at(args, 1))]
      asAdmin(frame)
      setHolderAuthorized(frame, holder, authorize)
      emitSetAuthorized(frame, holder, authorize)
      return voidVal
    }
  },
  mint: {
    arity: 2,
    run: (frame, args) => {
      const [to, amount] = [asAddress(at(args, 0)), asI128(at(args, 1))]
      requireAmount(amount)
      requireNotIssuer(frame, to)
      asAdmin(frame)
      receiveBalance(frame, to, amount)
      emitMint(frame, to, amount)
      return voidVal
    }
  },
  set_admin: {
    arity: 1,
    run: (frame, args) => {
      const next = asAddress(at(args, 0))
      const admin = asAdmin(frame)
      setAdmin(frame, next)
      emitSetAdmin(frame, admin, next)
      return voidVal
    }
  },
  admin: { arity: 0, run: (frame) => addressVal(adminOf(frame)) },
  decimals: { arity: 0, run: () => u32(assetDecimals) },
  name: { arity: 0, run: nameVal },
  symbol: { arity: 0, run: symbolVal },
  trust: {
    arity: 1,
    run: (frame, args) => {
      const address = asAddress(at(args, 0))
      extend(frame)
      trust(frame, address)
      return voidVal
    }
  }
}

/** A function of the asset contract by name. */
export const nativeAssetFunction = (name: string): NativeFunction | undefined =>
  Object.hasOwn(functions, name) ? functions[name] : undefined

import { xdr } from "@stellar/stellar-sdk"
import { isIssuer, isNative } from "./Asset.ts"
import type { Draft } from "./Draft.ts"
import { liabilitiesOf, withFields, withLiabilities } from "./entries/Account.ts"
import {
  isAuthorized,
  isClawbackEnabled,
  isPoolShare,
  lineLiabilities,
  mayMaintainLiabilities,
  withLine,
  withLineLiabilities
} from "./entries/Trustline.ts"
import { int64Max, sumWithin } from "./Int64.ts"
import { fault } from "./LedgerFault.ts"
import { loadAccount, type LoadedAccount, type LoadedTrustline, loadTrustline, peekAccount, peekTrustline } from "./Loaded.ts"
import { availableBalance, minBalance } from "./Reserves.ts"

/**
 * Where an account keeps one asset: its own balance for the native asset, a trustline, or nothing at all for
 * the issuer, whose supply of its own asset has no end. Amounts are stroops. The `add…` methods answer false,
 * and change nothing, where the protocol forbids the result.
 */
export interface Holding {
  /** Fully authorized: may send and receive. */
  readonly authorized: boolean
  /** May at least keep its offers and pool shares. */
  readonly maintainable: boolean
  readonly clawbackEnabled: boolean
  balance(): bigint
  /** What can be parted with. */
  available(): bigint
  /** What can still be received. */
  room(): bigint
  /** Adds to the balance; the amount may be negative. */
  add(amount: bigint): boolean
  addBuyingLiabilities(amount: bigint): boolean
  addSellingLiabilities(amount: bigint): boolean
}

/** The holding, counted as changed; undefined when the account has no place for the asset. */
export const loadHolding = (draft: Draft, account: xdr.PublicKey, asset: xdr.Asset): Holding | undefined => {
  if (isNative(asset)) return optional(loadAccount(draft, account), nativeHolding)
  return isIssuer(account, asset) ? issuerHolding : optional(loadTrustline(draft, account, asset), lineHolding)
}

/** The holding, only looked at. */
export const peekHolding = (draft: Draft, account: xdr.PublicKey, asset: xdr.Asset): Holding | undefined => {
  if (isNative(asset)) return optional(peekAccount(draft, account), nativeHolding)
  return isIssuer(account, asset) ? issuerHolding : optional(peekTrustline(draft, account, asset), lineHolding)
}

const optional = <Found, Made>(found: Found | undefined, make: (found: Found) => Made): Made | undefined =>
  found === undefined ? undefined : make(found)

const issuerHolding: Holding = {
  authorized: true,
  maintainable: true,
  get clawbackEnabled(): boolean {
    return fault("an issuer cannot claw back from itself")
  },
  balance: () => int64Max,
  available: () => int64Max,
  room: () => int64Max,
  add: () => true,
  addBuyingLiabilities: () => true,
  addSellingLiabilities: () => true
}

/** The native balance of an account. A credit never fails for want of reserve; a debit may not eat into it. */
export const nativeHolding = (account: LoadedAccount): Holding => {
  const { header } = account.draft
  return {
    authorized: true,
    maintainable: true,
    clawbackEnabled: false,
    balance: () => account.current.balance,
    available: () => availableBalance(header, account.current),
    room: () => int64Max - account.current.balance - liabilitiesOf(account.current).buying,
    add: (amount) => {
      if (amount === 0n) return true
      const { current } = account
      const { buying, selling } = liabilitiesOf(current)
      const balance = sumWithin(current.balance, amount, int64Max - buying)
      if (balance === undefined) return false
      if (amount < 0n && balance - minBalance(header, current) < selling) return false
      account.set(withFields(current, { balance }))
      return true
    },
    addBuyingLiabilities: (amount) => {
      if (amount === 0n) return true
      const { current } = account
      const { buying: before, selling } = liabilitiesOf(current)
      const buying = sumWithin(before, amount, int64Max - current.balance)
      if (buying === undefined) return false
      account.set(withLiabilities(current, new xdr.Liabilities({ buying, selling })))
      return true
    },
    addSellingLiabilities: (amount) => {
      if (amount === 0n) return true
      const { current } = account
      const { buying, selling: before } = liabilitiesOf(current)
      const selling = sumWithin(before, amount, current.balance - minBalance(header, current))
      if (selling === undefined) return false
      account.set(withLiabilities(current, new xdr.Liabilities({ buying, selling })))
      return true
    }
  }
}

/** A trustline. Moving anything on a line without any authorization is a fault: callers check first. */
export const lineHolding = (line: LoadedTrustline): Holding => ({
  get authorized() {
    return isAuthorized(line.current)
  },
  get maintainable() {
    return mayMaintainLiabilities(line.current)
  },
  get clawbackEnabled() {
    return isClawbackEnabled(line.current)
  },
  balance: () => line.current.balance,
  available: () => {
    const { current } = line
    requireAuthorization(current)
    return current.balance - lineLiabilities(current).selling
  },
  room: () => {
    const { current } = line
    requireAuthorization(current)
    return current.limit - current.balance - lineLiabilities(current).buying
  },
  add: (amount) => {
    if (amount === 0n) return true
    requireAuthorization(line.current)
    return addUnauthorized(line, amount)
  },
  addBuyingLiabilities: (amount) => {
    if (amount === 0n) return true
    const { current } = line
    requireAuthorization(current)
    const { buying: before, selling } = lineLiabilities(current)
    const buying = sumWithin(before, amount, current.limit - current.balance)
    if (buying === undefined) return false
    line.set(withLineLiabilities(current, new xdr.Liabilities({ buying, selling })))
    return true
  },
  addSellingLiabilities: (amount) => {
    if (amount === 0n) return true
    const { current } = line
    requireAuthorization(current)
    const { buying, selling: before } = lineLiabilities(current)
    const selling = sumWithin(before, amount, current.balance)
    if (selling === undefined) return false
    line.set(withLineLiabilities(current, new xdr.Liabilities({ buying, selling })))
    return true
  }
})

/** Adds to a trustline regardless of its authorization, within its limit and liabilities. */
export const addUnauthorized = (line: LoadedTrustline, amount: bigint): boolean => {
  const { current } = line
  const { buying, selling } = lineLiabilities(current)
  const balance = sumWithin(current.balance, amount, current.limit)
  if (balance === undefined || balance < selling || balance > current.limit - buying) return false
  line.set(withLine(current, { balance }))
  return true
}

const requireAuthorization = (line: xdr.TrustLineEntry): void => {
  if (!isPoolShare(line) && !mayMaintainLiabilities(line)) fault("the trustline is not authorized")
}

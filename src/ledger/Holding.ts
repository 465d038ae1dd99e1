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
import { INT64_MAX, sumWithin } from "./Int64.ts"
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
  return isIssuer(account, asset) ? ISSUER : optional(loadTrustline(draft, account, asset), lineHolding)
}

/** The holding, only looked at. */
export const peekHolding = (draft: Draft, account: xdr.PublicKey, asset: xdr.Asset): Holding | undefined => {
  if (isNative(asset)) return optional(peekAccount(draft, account), nativeHolding)
  return isIssuer(account, asset) ? ISSUER : optional(peekTrustline(draft, account, asset), lineHolding)
}

const optional = <Found, Made>(found: Found | undefined, make: (found: Found) => Made): Made | undefined =>
  found === undefined ? undefined : make(found)

const ISSUER: Holding = {
  authorized: true,
  maintainable: true,
  get clawbackEnabled(): boolean {
    return fault("an issuer cannot claw back from itself")
  },
  balance: () => INT64_MAX,
  available: () => INT64_MAX,
  room: () => INT64_MAX,
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
    room: () => INT64_MAX - account.current.balance - liabilitiesOf(account.current).buying,
    add: (amount) => {
      if (amount === 0n) return true
      const { buying, selling } = liabilitiesOf(account.current)
      const balance = sumWithin(account.current.balance, amount, INT64_MAX - buying)
      if (balance === undefined) return false
      if (amount < 0n && balance - minBalance(header, account.current) < selling) return false
      account.set(withFields(account.current, { balance }))
      return true
    },
    addBuyingLiabilities: (amount) => {
      if (amount === 0n) return true
      const liabilities = liabilitiesOf(account.current)
      const buying = sumWithin(liabilities.buying, amount, INT64_MAX - account.current.balance)
      if (buying === undefined) return false
      account.set(withLiabilities(account.current, new xdr.Liabilities({ ...liabilities, buying })))
      return true
    },
    addSellingLiabilities: (amount) => {
      if (amount === 0n) return true
      const most = account.current.balance - minBalance(header, account.current)
      if (most < 0n) return false
      const liabilities = liabilitiesOf(account.current)
      const selling = sumWithin(liabilities.selling, amount, most)
      if (selling === undefined) return false
      account.set(withLiabilities(account.current, new xdr.Liabilities({ ...liabilities, selling })))
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
    requireAuthorization(line.current)
    return line.current.balance - lineLiabilities(line.current).selling
  },
  room: () => {
    requireAuthorization(line.current)
    return line.current.limit - line.current.balance - lineLiabilities(line.current).buying
  },
  add: (amount) => {
    if (amount === 0n) return true
    requireAuthorization(line.current)
    return addUnauthorized(line, amount)
  },
  addBuyingLiabilities: (amount) => {
    if (amount === 0n) return true
    requireAuthorization(line.current)
    const liabilities = lineLiabilities(line.current)
    const buying = sumWithin(liabilities.buying, amount, line.current.limit - line.current.balance)
    if (buying === undefined) return false
    line.set(withLineLiabilities(line.current, new xdr.Liabilities({ ...liabilities, buying })))
    return true
  },
  addSellingLiabilities: (amount) => {
    if (amount === 0n) return true
    requireAuthorization(line.current)
    const liabilities = lineLiabilities(line.current)
    const selling = sumWithin(liabilities.selling, amount, line.current.balance)
    if (selling === undefined) return false
    line.set(withLineLiabilities(line.current, new xdr.Liabilities({ ...liabilities, selling })))
    return true
  }
})

/** Adds to a trustline whatever its authorization, within its limit and liabilities. */
export const addUnauthorized = (line: LoadedTrustline, amount: bigint): boolean => {
  const { buying, selling } = lineLiabilities(line.current)
  const balance = sumWithin(line.current.balance, amount, line.current.limit)
  if (balance === undefined || balance < selling || balance > line.current.limit - buying) return false
  line.set(withLine(line.current, { balance }))
  return true
}

const requireAuthorization = (line: xdr.TrustLineEntry): void => {
  if (!isPoolShare(line) && !mayMaintainLiabilities(line)) fault("the trustline is not authorized")
}

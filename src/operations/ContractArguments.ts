import type * as xdr from "@stellar/stellar-sdk/xdr"
import type { Argument } from "./ContractFunctions.ts"
import { addressIn, elementsIn, fieldsIn, integerIn, isContract, payloadsIn } from "./ContractValues.ts"

/** Something that a lending pool is to do. */
export interface LeavingRequest {
  readonly token: string
  readonly amount: bigint
  readonly isRepayment: boolean
}

/** The kinds of requests that leave a lending pool: withdraw, withdraw collateral, repay. Others borrow, deposit or liquidate. */
const leavingKinds = { withdraw: 1n, withdrawCollateral: 3n, repay: 5n }
const kinds: ReadonlySet<bigint> = new Set(Object.values(leavingKinds))

const requestIn = (value: xdr.ScVal): LeavingRequest | null => {
  const [address, amount, kind] = fieldsIn(value, "address", "amount", "request_type") ?? []
  const [token, units, type] = [addressIn(address), integerIn(amount), integerIn(kind)]
  return isContract(token) && units !== null && units > 0n && type !== null && kinds.has(type)
    ? { token, amount: units, isRepayment: type === leavingKinds.repay }
    : null
}

const allOf = <A>(values: ReadonlyArray<xdr.ScVal> | null, read: (value: xdr.ScVal) => A | null): ReadonlyArray<A> | null => {
  const found = values?.map(read)
  return found === undefined || found.length === 0 || found.includes(null) ? null : found.filter((one) => one !== null)
}

/** Requests that leave a lending pool; null where any of them is something else. */
export const requestsIn = (value: xdr.ScVal | undefined): ReadonlyArray<LeavingRequest> | null => allOf(elementsIn(value), requestIn)

/** Tokens in the order in which they are traded, the first that is sold and the last that is paid; null where it is no such way. */
export const wayIn = (value: xdr.ScVal | undefined): ReadonlyArray<string> | null => {
  const tokens = allOf(elementsIn(value), (one) => (isContract(addressIn(one)) ? addressIn(one) : null))
  return tokens === null || tokens.length < 2 ? null : tokens
}

const hopIn = (value: xdr.ScVal): string | null => {
  const [tokens, pool, paid, ...more] = elementsIn(value) ?? []
  const to = addressIn(paid)
  return wayIn(tokens) !== null && pool?.type === "scvBytes" && isContract(to) && more.length === 0 ? to : null
}

/** What each pool on the way of a router pays, in order; null where it is no such way. */
export const hopsIn = (value: xdr.ScVal | undefined): ReadonlyArray<string> | null => allOf(elementsIn(value), hopIn)

const vaultOwner = (value: xdr.ScVal | undefined): string | null => {
  const [account, denomination, index] = fieldsIn(value, "account", "denomination", "index") ?? []
  return denomination?.type === "scvSymbol" && integerIn(index) !== null ? addressIn(account) : null
}

const isAtLeast = (value: xdr.ScVal, least: bigint): boolean => (integerIn(value) ?? -1n) >= least

const isContractValue = (value: xdr.ScVal): boolean => isContract(addressIn(value))

/** Whether a value is what an argument means, by its meaning. */
const holds: Readonly<Record<Argument, (value: xdr.ScVal, source: string) => boolean>> = {
  account: (value, source) => addressIn(value) === source,
  amount: (value) => isAtLeast(value, 1n),
  least: (value) => isAtLeast(value, 0n),
  least_each: (value) => allOf(elementsIn(value), (one) => (isAtLeast(one, 0n) ? one : null)) !== null,
  account_or_least: (value, source) => addressIn(value) === source || isAtLeast(value, 0n),
  place: (value) => integerIn(value) !== null,
  places: (value) => allOf(elementsIn(value), integerIn) !== null,
  deadline: (value) => isAtLeast(value, 1n),
  nothing: (value) => value.type === "scvVoid",
  token: isContractValue,
  tokens_on_the_way: (value) => wayIn(value) !== null,
  pool: isContractValue,
  pools: (value) => allOf(elementsIn(value), addressIn)?.every(isContract) ?? false,
  leaving_requests: (value) => requestsIn(value) !== null,
  pools_on_the_way: (value) => hopsIn(value) !== null,
  vault: (value, source) => vaultOwner(value) === source,
  vault_below: (value) => {
    const below = payloadsIn(value, "Some")
    return payloadsIn(value, "None")?.length === 0 || (below?.length === 1 && vaultOwner(below[0]) !== null)
  },
  no_vault: (value) => payloadsIn(value, "None")?.length === 0
}

/** The place of the first argument that is not what it should mean; null where all are, and no more are there. */
export const strangeArgument = (takes: ReadonlyArray<Argument>, args: ReadonlyArray<xdr.ScVal>, source: string): number | null => {
  const at = takes.findIndex((meaning, index) => {
    const value = args[index]
    return value === undefined || !holds[meaning](value, source)
  })
  if (at >= 0) return at
  return args.length > takes.length ? takes.length : null
}

const minimums: ReadonlySet<Argument> = new Set(["least", "least_each"])

/** Whether a call is content with nothing of any token it pays, though it could say how much it must be. */
export const takesNothing = (takes: ReadonlyArray<Argument>, args: ReadonlyArray<xdr.ScVal>): boolean => {
  const values = args.filter((_, index) => minimums.has(takes[index] ?? "nothing")).flatMap((value) => elementsIn(value) ?? [value])
  return values.length > 0 && values.every((value) => integerIn(value) === 0n)
}

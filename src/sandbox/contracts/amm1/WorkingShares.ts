import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asBool, asI128, asU128, u128 } from "../../../ledger/soroban/Values.ts"
import { extendInstance, readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import { stored } from "./Instance.ts"
import { less, mulDiv } from "./Products.ts"
import { rewardKeys, rewardsStateKey, workingBalanceKey } from "./RewardKeys.ts"

/** A user with shares of a pool, and how many there are. */
export interface Holder {
  readonly user: xdr.ScAddress
  readonly shares: bigint
  readonly totalShares: bigint
}

/** Shares as they count for rewards: a user's, and everyone's. */
export interface WorkingShares {
  readonly balance: bigint
  readonly supply: bigint
}

/** Shares that count; where none are noted yet, those that are held are noted. */
export const workingShares = (host: ContractHost, { shares, totalShares, user }: Holder): WorkingShares => {
  extendInstance(host)
  const key = workingBalanceKey(user)
  const known = readAndExtend(host, key)
  if (known === undefined) writeAndExtend(host, key, u128(shares))
  const supply = host.instance.get(rewardKeys.workingSupply)
  if (supply === undefined) host.instance.set(rewardKeys.workingSupply, u128(totalShares))
  return { balance: known === undefined ? shares : asU128(known), supply: supply === undefined ? totalShares : asU128(supply) }
}

/** Whether a user wants rewards; who has not said so does. */
export const wantsRewards = (host: ContractHost, user: xdr.ScAddress): boolean => {
  const state = readAndExtend(host, rewardsStateKey(user))
  return state === undefined || asBool(state)
}

/** Base units of the token that boosts rewards; none for who cannot hold it. */
export const boostBalance = (host: ContractHost, user: xdr.ScAddress): bigint => {
  if (!host.instance.has(rewardKeys.boostToken)) return 0n
  const balance = host.tryCall(stored(host, rewardKeys.boostToken, asAddress), "balance", addressVal(user))
  return balance.type === "scvError" ? 0n : asI128(balance)
}

/** How much of the token that boosts rewards is locked altogether. */
export const boostSupply = (host: ContractHost): bigint =>
  host.instance.has(rewardKeys.boostFeed) ? asU128(host.call(stored(host, rewardKeys.boostFeed, asAddress), "total_supply")) : 0n

/** Shares that count by what is held now: boosted up to two and a half times. */
const effective = (host: ContractHost, { shares, totalShares, user }: Holder): bigint => {
  const counted = wantsRewards(host, user) ? shares : 0n
  const boost = boostBalance(host, user)
  const locked = boostSupply(host)
  const boosted = locked > 0n ? counted + (3n * mulDiv(boost, totalShares, locked)) / 2n : counted
  const most = (counted * 5n) / 2n
  return boosted > most ? most : boosted
}

/** Notes the shares that count from now on, and gives those that counted until now. */
export const updateWorkingShares = (host: ContractHost, holder: Holder): WorkingShares => {
  const before = workingShares(host, holder)
  const balance = effective(host, holder)
  host.instance.set(rewardKeys.workingSupply, u128(less(before.supply + balance, before.balance)))
  writeAndExtend(host, workingBalanceKey(holder.user), u128(balance))
  return before
}

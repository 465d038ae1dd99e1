import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI128,
  asU128,
  asU64,
  asVec,
  field,
  i128,
  struct,
  symbol,
  u128,
  u32,
  u64,
  vec
} from "../../../ledger/soroban/Values.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"

export const stakeConfigKey: xdr.ScVal = symbol("CONFIG")
export const totalStakedKey: xdr.ScVal = u32(1)
export const distributionsKey: xdr.ScVal = u32(2)

/** Shares bonded at one time: base units, Unix seconds. */
export interface Stake {
  readonly amount: bigint
  readonly timestamp: bigint
}

/** What someone has bonded, and when rewards were last paid out for it (Unix seconds). */
export interface Bonding {
  readonly stakes: ReadonlyArray<Stake>
  readonly totalStake: bigint
  readonly lastRewardTime: bigint
  readonly rewardDebt: bigint
}

const stakeVal = ({ amount, timestamp }: Stake): xdr.ScVal => struct({ stake: i128(amount), stake_timestamp: u64(timestamp) })

export const stakesVal = ({ stakes }: Bonding): xdr.ScVal => vec(...stakes.map(stakeVal))

export const bondingVal = (bonding: Bonding): xdr.ScVal =>
  struct({
    last_reward_time: u64(bonding.lastRewardTime),
    reward_debt: u128(bonding.rewardDebt),
    stakes: stakesVal(bonding),
    total_stake: i128(bonding.totalStake)
  })

const readBonding = (value: xdr.ScVal): Bonding => ({
  lastRewardTime: asU64(field(value, "last_reward_time")),
  rewardDebt: asU128(field(value, "reward_debt")),
  stakes: asVec(field(value, "stakes")).map((stake) => ({
    amount: asI128(field(stake, "stake")),
    timestamp: asU64(field(stake, "stake_timestamp"))
  })),
  totalStake: asI128(field(value, "total_stake"))
})

/** Nothing at all for someone who never bonded. */
export const bondingOf = (host: ContractHost, user: xdr.ScAddress): Bonding => {
  const value = readAndExtend(host, addressVal(user))
  return value === undefined ? { stakes: [], totalStake: 0n, lastRewardTime: 0n, rewardDebt: 0n } : readBonding(value)
}

export const setBonding = (host: ContractHost, user: xdr.ScAddress, bonding: Bonding): void =>
  writeAndExtend(host, addressVal(user), bondingVal(bonding))

export const totalStaked = (host: ContractHost): bigint => asI128(readAndExtend(host, totalStakedKey) ?? host.trap())

export const addStaked = (host: ContractHost, change: bigint): void =>
  writeAndExtend(host, totalStakedKey, i128(totalStaked(host) + change))

/** The tokens rewards are paid in, in the order they are paid. */
export const rewardTokensOf = (host: ContractHost): ReadonlyArray<xdr.ScAddress> => {
  const value = readAndExtend(host, distributionsKey)
  return value === undefined ? [] : asVec(value).map(asAddress)
}

import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asU128, asU64, lookup, string, u64, variant } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { type Bonding, bondingOf, rewardTokensOf, setBonding } from "./Bonding.ts"
import { readAndExtend } from "./ExtendedEntries.ts"
import { portion, ratioOf } from "./Ratio.ts"

export const rewardHistoryKey = (token: xdr.ScAddress): xdr.ScVal => variant("RewardHistory", addressVal(token))

export const totalStakedHistoryKey: xdr.ScVal = variant("TotalStakedHistory")

const daySeconds = 86_400n
/** Days after which a stake earns in full. */
const fullAge = 60n

/** When something was paid out, or counted, in ascending order (Unix seconds), with the amount in base units. */
const historyUnder = (host: ContractHost, key: xdr.ScVal): xdr.ScVal => readAndExtend(host, key) ?? host.trap()

const timesOf = (history: xdr.ScVal): ReadonlyArray<bigint> =>
  history.type === "scvMap" ? (history.map ?? []).map(({ key }) => asU64(key)) : []

const amountAt = (history: xdr.ScVal, time: bigint): bigint => {
  const value = lookup(history, u64(time))
  return value === undefined ? 0n : asU128(value)
}

/**
 * What someone would be paid of one reward token now: of each distribution since the last payment every stake gets its part of all that
 * was staked then, a sixtieth of it for every whole day of its age up to sixty.
 */
export const pendingReward = (host: ContractHost, token: xdr.ScAddress, { lastRewardTime, stakes }: Bonding): bigint => {
  const rewards = historyUnder(host, rewardHistoryKey(token))
  const totals = historyUnder(host, totalStakedHistoryKey)
  const due = timesOf(rewards).filter((time) => time > lastRewardTime && time <= host.ledger.timestamp)
  return due.reduce((sum, time) => {
    const [reward, total] = [amountAt(rewards, time), amountAt(totals, time)]
    if (total === 0n) return sum
    return stakes.reduce((paid, { amount, timestamp }) => {
      const age = time > timestamp ? (time - timestamp) / daySeconds : 0n
      return paid + portion((amount * reward) / total, ratioOf(age > fullAge ? fullAge : age, fullAge))
    }, sum)
  }, 0n)
}

/** Pays every reward token out, nothing of one included, and remembers when. */
export const payFromHistory = (host: ContractHost, user: xdr.ScAddress): void => {
  host.emit([string("withdraw_rewards"), string("user")], addressVal(user))
  const bonding = bondingOf(host, user)
  for (const token of rewardTokensOf(host)) {
    const amount = pendingReward(host, token, bonding)
    host.emit([string("withdraw_rewards"), string("reward_token")], addressVal(token))
    pay(host, token, user, amount)
  }
  setBonding(host, user, { ...bonding, lastRewardTime: host.ledger.timestamp })
}

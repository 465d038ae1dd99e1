import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, field, i128, string, struct, u128, u32, u64, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import { addStaked, bondingOf, rewardTokensOf, setBonding, stakeConfigKey, stakesVal, totalStaked } from "./Bonding.ts"
import { extendInstance, readAndExtend } from "./ExtendedEntries.ts"
import { historyTraits, pointsTraits, type StakeTraits } from "./StakeTraits.ts"

const configOf = (host: ContractHost): xdr.ScVal => readAndExtend(host, stakeConfigKey) ?? host.trap()

const adminKey: xdr.ScVal = u32(0)

/** Emits the events of shares that are bonded or unbonded. */
const announce = (host: ContractHost, what: "bond" | "unbond", user: xdr.ScAddress, amount: bigint): void => {
  const told = [["user", addressVal(user)], ["token", field(configOf(host), "lp_token")], ["amount", i128(amount)]] as const
  for (const [name, data] of told) host.emit([string(what), string(name)], data)
}

const moveShares = (host: ContractHost, from: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(asAddress(field(configOf(host), "lp_token")), "transfer", addressVal(from), addressVal(to), i128(amount))
}

/** A stake contract of amm_3, which holds pool shares for rewards. Left out: paying rewards in, and what only its operators may do. */
const stakeModel = (traits: StakeTraits): ContractModel => ({
  functions: {
    bond: contractFunction(["address", "i128"], (host, [sender, amount]) => {
      host.requireAuth(sender)
      extendInstance(host)
      if (amount < asI128(field(configOf(host), "min_bond"))) host.fail(traits.errors.tooLittle)
      moveShares(host, sender, host.address, amount)
      traits.beforeBond(host, sender, amount)
      const bonding = bondingOf(host, sender)
      setBonding(host, sender, {
        ...bonding,
        stakes: [...bonding.stakes, { amount, timestamp: host.ledger.timestamp }],
        totalStake: bonding.totalStake + amount
      })
      addStaked(host, amount)
      announce(host, "bond", sender, amount)
      return voidVal
    }),
    unbond: contractFunction(["address", "i128", "u64"], (host, [sender, amount, timestamp]) => {
      host.requireAuth(sender)
      extendInstance(host)
      configOf(host)
      traits.beforeUnbond(host, sender, amount)
      const bonding = bondingOf(host, sender)
      const at = bonding.stakes.findIndex((stake) => stake.amount === amount && stake.timestamp === timestamp)
      if (at < 0) host.fail(traits.errors.notFound)
      moveShares(host, host.address, sender, amount)
      setBonding(host, sender, { ...bonding, stakes: bonding.stakes.toSpliced(at, 1), totalStake: bonding.totalStake - amount })
      addStaked(host, -amount)
      announce(host, "unbond", sender, amount)
      return voidVal
    }),
    withdraw_rewards: contractFunction(["address"], (host, [sender]) => {
      extendInstance(host)
      traits.pay(host, sender)
      return voidVal
    }),
    query_config: contractFunction([], (host) => {
      extendInstance(host)
      return struct({ config: configOf(host) })
    }),
    query_admin: contractFunction([], (host) => {
      extendInstance(host)
      return readAndExtend(host, adminKey) ?? host.trap()
    }),
    query_staked: contractFunction(["address"], (host, [user]) => {
      extendInstance(host)
      const bonding = bondingOf(host, user)
      const stakes = stakesVal(bonding)
      return traits.tellsRewardTime
        ? struct({ last_reward_time: u64(bonding.lastRewardTime), stakes, total_stake: i128(bonding.totalStake) })
        : struct({ stakes })
    }),
    query_total_staked: contractFunction([], (host) => {
      extendInstance(host)
      return i128(totalStaked(host))
    }),
    query_withdrawable_rewards: contractFunction(["address"], (host, [user]) => {
      extendInstance(host)
      configOf(host)
      const rewards = rewardTokensOf(host).map((token) =>
        struct({ reward_address: addressVal(token), reward_amount: u128(traits.due(host, token, user)) })
      )
      return struct({ rewards: vec(...rewards) })
    })
  }
})

export const historyStake = stakeModel(historyTraits)
export const pointsStake = stakeModel(pointsTraits)

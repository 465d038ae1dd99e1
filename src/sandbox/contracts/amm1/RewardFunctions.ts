import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, bool, i128, sameAddress, struct, symbol, u128, vec } from "../../../ledger/soroban/Values.ts"
import { ownBalance } from "../HeldTokens.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { flagAt } from "./Instance.ts"
import { PoolError } from "./PoolError.ts"
import { claimGauges, gaugesInfo, gaugesVal, settleGauges } from "./PoolGauges.ts"
import { payReward, readConfig, readData, settleReward } from "./PoolRewards.ts"
import { boostBalance, boostSupply, type Holder, wantsRewards, workingShares } from "./WorkingShares.ts"

/** What differs in the rewards of one kind of pool from those of another. */
export interface RewardTraits {
  /** Whose shares count, brought up to date where they change with the price. */
  readonly holder: (host: ContractHost, user: xdr.ScAddress) => Holder
  /** The same as it was noted last. */
  readonly notedHolder: (host: ContractHost, user: xdr.ScAddress) => Holder
  readonly claimKilled: xdr.ScVal
  /** Whether a user must agree to be paid. */
  readonly claimNeedsAuth: boolean
  /** What the pool must go on holding, by token: its reserves and fees that are not its own. */
  readonly kept: (host: ContractHost) => ReadonlyArray<{ readonly token: xdr.ScAddress; readonly amount: bigint }>
}

/** Settles what a user has earned, of the pool and of its gauges. Must come before any change of shares. */
export const settleAll = (host: ContractHost, holder: Holder) => {
  settleGauges(host, holder)
  return settleReward(host, holder)
}

const claim = ({ claimKilled, claimNeedsAuth, holder, kept }: RewardTraits): ContractFunction =>
  contractFunction(["address"], (host, [user]) => {
    if (flagAt(host, claimKilled)) host.fail(PoolError.claimKilled)
    if (claimNeedsAuth) host.requireAuth(user)
    const held = holder(host, user)
    settleGauges(host, held)
    const { amount, token } = payReward(host, held)
    for (const reserve of kept(host)) {
      if (sameAddress(reserve.token, token) && reserve.amount > ownBalance(host, token)) host.fail(PoolError.insufficientBalance)
    }
    host.emit([symbol("claim_reward"), addressVal(token), addressVal(user)], vec(i128(amount)))
    settleGauges(host, held)
    return u128(amount)
  })

const rewardsInfo = ({ notedHolder }: RewardTraits): ContractFunction =>
  contractFunction(["address"], (host, [user]) => {
    const held = notedHolder(host, user)
    const config = readConfig(host)
    const state = wantsRewards(host, user)
    const before = workingShares(host, held)
    const [boost, locked] = [boostBalance(host, user), boostSupply(host)]
    const reward = settleAll(host, held)
    const data = readData(host)
    const after = workingShares(host, held)
    const numbers: Readonly<Record<string, bigint>> = {
      tps: config.tps,
      exp_at: config.expiredAt,
      state: state ? 1n : 0n,
      supply: held.totalShares,
      working_balance: before.balance,
      working_supply: before.supply,
      boost_balance: boost,
      boost_supply: locked,
      acc: data.accumulated,
      last_time: data.lastTime,
      pool_acc: reward.poolAccumulated,
      block: data.block,
      usr_block: reward.lastBlock,
      to_claim: reward.toClaim,
      new_working_balance: after.balance,
      new_working_supply: after.supply
    }
    return struct(Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, i128(value)])))
  })

/** What every kind of pool offers of rewards. Setting them up, switching them off for oneself and taking back are not modelled. */
export const rewardFunctions = (traits: RewardTraits): Readonly<Record<string, ContractFunction>> => ({
  claim: claim(traits),
  get_user_reward: contractFunction(["address"], (host, [user]) => u128(settleAll(host, traits.holder(host, user)).toClaim)),
  get_rewards_info: rewardsInfo(traits),
  get_rewards_state: contractFunction(["address"], (host, [user]) => bool(wantsRewards(host, user))),
  get_gauges: contractFunction([], gaugesVal),
  gauges_claim: contractFunction(["address"], (host, [user]) => {
    host.requireAuth(user)
    return claimGauges(host, traits.holder(host, user))
  }),
  gauges_get_reward_info: contractFunction(["address"], (host, [user]) => {
    extendInstance(host)
    return gaugesInfo(host, traits.holder(host, user))
  })
})

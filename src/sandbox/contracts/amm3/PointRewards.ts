import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asI128, asU128, asU64, field, i128, string, struct, u128, u64, variant } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { bondingOf, rewardTokensOf, stakeConfigKey } from "./Bonding.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"

export const distributionKey = (token: xdr.ScAddress): xdr.ScVal => variant("Distribution", addressVal(token))

const adjustmentKey = (token: xdr.ScAddress, user: xdr.ScAddress): xdr.ScVal =>
  variant("WithdrawAdjustment", struct({ asset: addressVal(token), user: addressVal(user) }))

/** Shares that make a point. */
const sharesAPoint = 1_000n
/** What a point is worth is kept times two to this power. */
const pointShift = 32n

interface Adjustment {
  readonly correction: bigint
  readonly withdrawn: bigint
}

const adjustmentOf = (host: ContractHost, token: xdr.ScAddress, user: xdr.ScAddress): Adjustment => {
  const value = readAndExtend(host, adjustmentKey(token, user))
  return value === undefined
    ? { correction: 0n, withdrawn: 0n }
    : { correction: asI128(field(value, "shares_correction")), withdrawn: asU128(field(value, "withdrawn_rewards")) }
}

const setAdjustment = (host: ContractHost, token: xdr.ScAddress, user: xdr.ScAddress, { correction, withdrawn }: Adjustment): void =>
  writeAndExtend(host, adjustmentKey(token, user), struct({ shares_correction: i128(correction), withdrawn_rewards: u128(withdrawn) }))

const distributionOf = (host: ContractHost, token: xdr.ScAddress): xdr.ScVal => readAndExtend(host, distributionKey(token)) ?? host.trap()

const pointsOf = (host: ContractHost, staked: bigint): bigint => {
  const config = readAndExtend(host, stakeConfigKey) ?? host.trap()
  return staked < asI128(field(config, "min_bond")) ? 0n : staked / sharesAPoint
}

const worthOf = (distribution: xdr.ScVal): bigint => asU128(field(distribution, "shares_per_point"))

/** What someone would be paid of one reward token now: what was made of their points since they bonded, less what was paid. */
export const earnedReward = (host: ContractHost, token: xdr.ScAddress, user: xdr.ScAddress): bigint => {
  const worth = worthOf(distributionOf(host, token))
  const { correction, withdrawn } = adjustmentOf(host, token, user)
  const earned = (worth * pointsOf(host, bondingOf(host, user).totalStake) + correction) >> pointShift
  return earned < withdrawn ? host.trap() : earned - withdrawn
}

/** Pays out every reward token of which anything is due; of the others nothing is written. */
export const payFromPoints = (host: ContractHost, user: xdr.ScAddress): void => {
  host.emit([string("withdraw_rewards"), string("user")], addressVal(user))
  for (const token of rewardTokensOf(host)) {
    const amount = earnedReward(host, token, user)
    if (amount === 0n) continue
    const distribution = distributionOf(host, token)
    const adjustment = adjustmentOf(host, token, user)
    writeAndExtend(host, distributionKey(token), paidOut(distribution, amount))
    setAdjustment(host, token, user, { ...adjustment, withdrawn: adjustment.withdrawn + amount })
    pay(host, token, user, amount)
    host.emit([string("withdraw_rewards"), string("reward_token")], addressVal(token))
    host.emit([string("withdraw_rewards"), string("reward_amount")], u128(amount))
  }
}

const paidOut = (distribution: xdr.ScVal, amount: bigint): xdr.ScVal =>
  struct({
    bonus_per_day_bps: u64(asU64(field(distribution, "bonus_per_day_bps"))),
    distributed_total: field(distribution, "distributed_total"),
    max_bonus_bps: field(distribution, "max_bonus_bps"),
    shares_leftover: field(distribution, "shares_leftover"),
    shares_per_point: field(distribution, "shares_per_point"),
    withdrawable_total: u128(asU128(field(distribution, "withdrawable_total")) - amount)
  })

/** Lets points that are gained or lost earn only what comes after. */
export const correctPoints = (host: ContractHost, user: xdr.ScAddress, change: bigint): void => {
  for (const token of rewardTokensOf(host)) {
    const worth = worthOf(distributionOf(host, token))
    const staked = bondingOf(host, user).totalStake
    const gained = pointsOf(host, staked + change) - pointsOf(host, staked)
    if (gained === 0n) continue
    const adjustment = adjustmentOf(host, token, user)
    setAdjustment(host, token, user, { ...adjustment, correction: adjustment.correction - worth * gained })
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asU128,
  asU256,
  asU64,
  asVec,
  field,
  sameAddress,
  struct,
  u128,
  u256,
  u64,
  variant,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import { stored, storedOr } from "./Instance.ts"
import { less, lessOrNone, mulDiv } from "./Products.ts"
import { userRewardKey } from "./RewardKeys.ts"

export const gaugeHash = "3b62d1240ea0a490654931953b49ee05ba6db3ffc7f7069782e6736cb9543a6f"

export const gaugeKeys = {
  pool: variant("Pool"),
  token: variant("RewardToken"),
  configs: variant("RewardConfigs"),
  data: variant("GlobalRewardData")
} as const

const unauthorized = 102
/** Scale of rewards per share. */
const precision = 10n ** 22n

/** Rewards of so many base units a second from one time to another (Unix seconds). */
export interface GaugeConfig {
  readonly startAt: bigint
  readonly expiredAt: bigint
  readonly tps: bigint
}

interface GaugeData {
  readonly accumulated: bigint
  readonly claimed: bigint
  readonly epoch: bigint
  /** What one working share has earned so far. */
  readonly inv: bigint
}

interface UserData {
  readonly epoch: bigint
  readonly lastInv: bigint
  readonly toClaim: bigint
}

export const gaugeConfigVal = ({ expiredAt, startAt, tps }: GaugeConfig): xdr.ScVal =>
  struct({ expired_at: u64(expiredAt), start_at: u64(startAt), tps: u128(tps) })

const asConfig = (value: xdr.ScVal): GaugeConfig => ({
  expiredAt: asU64(field(value, "expired_at")),
  startAt: asU64(field(value, "start_at")),
  tps: asU128(field(value, "tps"))
})

const dataVal = ({ accumulated, claimed, epoch, inv }: GaugeData): xdr.ScVal =>
  struct({ accumulated: u128(accumulated), claimed: u128(claimed), epoch: u64(epoch), inv: u256(inv) })

const asData = (value: xdr.ScVal): GaugeData => ({
  accumulated: asU128(field(value, "accumulated")),
  claimed: asU128(field(value, "claimed")),
  epoch: asU64(field(value, "epoch")),
  inv: asU256(field(value, "inv"))
})

const readData = (host: ContractHost): GaugeData =>
  storedOr(host, gaugeKeys.data, asData, { accumulated: 0n, claimed: 0n, epoch: 0n, inv: 0n })

const readConfigs = (host: ContractHost): ReadonlyArray<GaugeConfig> =>
  storedOr(host, gaugeKeys.configs, (value) => asVec(value).map(asConfig), [])

const writeUser = (host: ContractHost, user: xdr.ScAddress, { epoch, lastInv, toClaim }: UserData): void =>
  writeAndExtend(host, userRewardKey(user), struct({ epoch: u64(epoch), last_inv: u256(lastInv), to_claim: u128(toClaim) }))

/** Brings the gauge forward to now. Rewards that are over are forgotten. */
const broughtForward = (host: ContractHost, supply: bigint): GaugeData => {
  const before = readData(host)
  const now = host.ledger.timestamp
  const configs = readConfigs(host)
  const running = configs.filter(({ startAt }) => startAt <= now)
  const given = running.map(({ expiredAt, startAt, tps }) =>
    less(expiredAt > now ? now : expiredAt, startAt < before.epoch ? before.epoch : startAt) * tps
  )
  const data = {
    ...before,
    epoch: now,
    accumulated: given.reduce((sum, amount) => sum + amount, before.accumulated),
    inv: given.reduce((sum, amount) => sum + (supply === 0n ? 0n : mulDiv(amount, precision, supply)), before.inv)
  }
  host.instance.set(gaugeKeys.data, dataVal(data))
  host.instance.set(
    gaugeKeys.configs,
    vec(...configs.filter(({ expiredAt, startAt }) => startAt > now || expiredAt > now).map(gaugeConfigVal))
  )
  return data
}

const settled = (host: ContractHost, { epoch, inv }: GaugeData, user: xdr.ScAddress, balance: bigint): UserData => {
  const known = readAndExtend(host, userRewardKey(user))
  const before = known === undefined
    ? { epoch: 0n, lastInv: 0n, toClaim: 0n }
    : { epoch: asU64(field(known, "epoch")), lastInv: asU256(field(known, "last_inv")), toClaim: asU128(field(known, "to_claim")) }
  if (before.epoch === epoch) return before
  const after = { epoch, lastInv: inv, toClaim: before.toClaim + (balance * less(inv, before.lastInv)) / precision }
  writeUser(host, user, after)
  return after
}

/** Only the gauge's own pool may ask for these. */
const requirePool = (host: ContractHost, pool: xdr.ScAddress): void => {
  host.requireAuth(pool)
  if (!sameAddress(stored(host, gaugeKeys.pool, asAddress), pool)) host.fail(unauthorized)
}

const settling = ["address", "address", "u128", "u128"] as const

/** A contract that pays further rewards to who holds shares of one pool. Scheduling rewards is not modelled. */
export const gauge: ContractModel = {
  instructions: 2_000_000,
  functions: {
    checkpoint_user: contractFunction(settling, (host, [pool, user, balance, supply]) => {
      requirePool(host, pool)
      settled(host, broughtForward(host, supply), user, balance)
      return voidVal
    }),
    get_user_reward: contractFunction(settling, (host, [pool, user, balance, supply]) => {
      requirePool(host, pool)
      return u128(settled(host, broughtForward(host, supply), user, balance).toClaim)
    }),
    claim: contractFunction(settling, (host, [pool, user, balance, supply]) => {
      requirePool(host, pool)
      const data = broughtForward(host, supply)
      const reward = settled(host, data, user, balance)
      const most = lessOrNone(data.accumulated, data.claimed)
      const paid = reward.toClaim > most ? most : reward.toClaim
      host.instance.set(gaugeKeys.data, dataVal({ ...data, claimed: data.claimed + paid }))
      writeUser(host, user, { ...reward, toClaim: 0n })
      pay(host, stored(host, gaugeKeys.token, asAddress), user, paid)
      return u128(paid)
    }),
    get_reward_token: contractFunction([], (host) => addressVal(stored(host, gaugeKeys.token, asAddress))),
    get_reward_state: contractFunction([], (host) => dataVal(readData(host))),
    get_reward_configs: contractFunction(
      [],
      (host) => vec(...readConfigs(host).filter(({ expiredAt }) => expiredAt >= host.ledger.timestamp).map(gaugeConfigVal))
    ),
    get_reward_config: contractFunction([], (host) => {
      const now = host.ledger.timestamp
      const running = readConfigs(host).filter(({ expiredAt, startAt }) => startAt <= now && expiredAt > now)
      const first = running.map(({ expiredAt }) => expiredAt).toSorted((left, right) => (left < right ? -1 : 1)).at(0)
      return gaugeConfigVal({ startAt: now, expiredAt: first ?? 0n, tps: running.reduce((sum, { tps }) => sum + tps, 0n) })
    })
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asU128, asU64, asVec, field, struct, u128, u64, vec } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import { stored } from "./Instance.ts"
import { less, mulDiv } from "./Products.ts"
import { formerPageKey, rewardKeys, rewardPageKey, userRewardKey } from "./RewardKeys.ts"
import { type Holder, updateWorkingShares } from "./WorkingShares.ts"

/** Cells of a page. */
const cellsPerPage = 100n

/** Where a block is found on the pages that sum up runs of cellsPerPage ** power blocks. */
const placeOf = (block: bigint, power: number) => {
  const cell = cellsPerPage ** BigInt(power)
  const page = cell * cellsPerPage
  return { cell, page: block / page, index: Number((block % page) / cell) }
}

const readPage = (host: ContractHost, power: number, page: bigint): Array<bigint> => {
  const value = readAndExtend(host, rewardPageKey(power, page))
  if (value === undefined) host.persistent.get(formerPageKey(power, page))
  const cells = value === undefined ? [] : asVec(value).map(asU128)
  return power === 0 ? [...cells, ...Array.from({ length: Math.max(0, Number(cellsPerPage) - cells.length) }, () => 0n)] : cells
}

/** Notes what one working share earned in a block, on the page of blocks and on those of ever larger runs. */
const addReward = (host: ContractHost, block: bigint, perShare: bigint): void => {
  for (let power = 0; power === 0 || block + 1n >= cellsPerPage ** BigInt(power - 1); power += 1) {
    const { index, page } = placeOf(block, power)
    const cells = readPage(host, power, page)
    if (index > cells.length || (power === 0 && index === cells.length)) host.trap()
    cells[index] = (cells[index] ?? 0n) + perShare
    writeAndExtend(host, rewardPageKey(power, page), vec(...cells.map(u128)))
  }
}

/** What one working share earned from one block to another, both counted. */
const rewardOf = (host: ContractHost, from: bigint, to: bigint): bigint => {
  let most = 1
  while (from + cellsPerPage ** BigInt(most) - 1n <= to) most += 1
  let sum = 0n
  for (let block = from; block <= to;) {
    let power = most
    while (power > 0 && block % cellsPerPage ** BigInt(power) !== 0n) power -= 1
    const { cell, index, page } = placeOf(block, power)
    sum += readPage(host, power, page)[index] ?? 0n
    block += cell
  }
  return sum
}

/** Scale of rewards per share. */
const precision = 10n ** 22n

/** How many base units a second rewards give, and until when (Unix seconds). */
interface RewardConfig {
  readonly tps: bigint
  readonly expiredAt: bigint
}

/** What a pool has given: counted in blocks, one for each time it was brought forward. */
interface RewardData {
  readonly accumulated: bigint
  readonly block: bigint
  readonly claimed: bigint
  readonly lastTime: bigint
}

/** What a user has earned. */
export interface UserReward {
  readonly lastBlock: bigint
  readonly poolAccumulated: bigint
  readonly toClaim: bigint
}

export const rewardConfigVal = ({ expiredAt, tps }: RewardConfig): xdr.ScVal => struct({ expired_at: u64(expiredAt), tps: u128(tps) })

export const rewardDataVal = ({ accumulated, block, claimed, lastTime }: RewardData): xdr.ScVal =>
  struct({ accumulated: u128(accumulated), block: u64(block), claimed: u128(claimed), last_time: u64(lastTime) })

const userRewardVal = ({ lastBlock, poolAccumulated, toClaim }: UserReward): xdr.ScVal =>
  struct({ last_block: u64(lastBlock), pool_accumulated: u128(poolAccumulated), to_claim: u128(toClaim) })

export const readConfig = (host: ContractHost): RewardConfig => {
  const value = host.instance.get(rewardKeys.config)
  return value === undefined
    ? { tps: 0n, expiredAt: 0n }
    : { tps: asU128(field(value, "tps")), expiredAt: asU64(field(value, "expired_at")) }
}

export const readData = (host: ContractHost): RewardData => {
  const value = host.instance.get(rewardKeys.data)
  return value === undefined
    ? { accumulated: 0n, block: 0n, claimed: 0n, lastTime: 0n }
    : {
      accumulated: asU128(field(value, "accumulated")),
      block: asU64(field(value, "block")),
      claimed: asU128(field(value, "claimed")),
      lastTime: asU64(field(value, "last_time"))
    }
}

const readUser = (host: ContractHost, user: xdr.ScAddress): UserReward | undefined => {
  const value = readAndExtend(host, userRewardKey(user))
  return value === undefined
    ? undefined
    : {
      lastBlock: asU64(field(value, "last_block")),
      poolAccumulated: asU128(field(value, "pool_accumulated")),
      toClaim: asU128(field(value, "to_claim"))
    }
}

const writeUser = (host: ContractHost, user: xdr.ScAddress, reward: UserReward): UserReward => {
  writeAndExtend(host, userRewardKey(user), userRewardVal(reward))
  return reward
}

/** Brings a pool's rewards forward to now, or to their end: while they last, even where no time has passed. */
const broughtForward = (host: ContractHost, supply: bigint): RewardData => {
  const config = readConfig(host)
  const data = readData(host)
  const now = host.ledger.timestamp
  const until = now <= config.expiredAt ? now : config.expiredAt
  if (now > config.expiredAt && data.lastTime >= config.expiredAt) return data
  const given = supply === 0n ? 0n : less(until, data.lastTime) * config.tps
  const next = { ...data, block: data.block + 1n, accumulated: data.accumulated + given, lastTime: until }
  host.instance.set(rewardKeys.data, rewardDataVal(next))
  addReward(host, next.block, supply === 0n ? 0n : mulDiv(precision, given, supply))
  return next
}

const settled = (host: ContractHost, data: RewardData, user: xdr.ScAddress, balance: bigint): UserReward => {
  const known = readUser(host, user)
  if (known !== undefined && known.poolAccumulated === data.accumulated) return known
  const earned = known === undefined || balance === 0n
    ? 0n
    : mulDiv(rewardOf(host, known.lastBlock + 1n, data.block), balance, precision)
  return writeUser(host, user, {
    lastBlock: data.block,
    poolAccumulated: data.accumulated,
    toClaim: (known?.toClaim ?? 0n) + earned
  })
}

/** Brings everything forward to now and settles what a user has earned. Must come before any change of shares. */
export const settleReward = (host: ContractHost, holder: Holder): UserReward => {
  const { balance, supply } = updateWorkingShares(host, holder)
  return settled(host, broughtForward(host, supply), holder.user, balance)
}

/** Pays a user what was earned, even if that is nothing. */
export const payReward = (host: ContractHost, holder: Holder): { readonly token: xdr.ScAddress; readonly amount: bigint } => {
  const { toClaim, ...rest } = settleReward(host, holder)
  const data = readData(host)
  host.instance.set(rewardKeys.data, rewardDataVal({ ...data, claimed: data.claimed + toClaim }))
  const token = stored(host, rewardKeys.token, asAddress)
  pay(host, token, holder.user, toClaim)
  writeUser(host, holder.user, { ...rest, toClaim: 0n })
  return { token, amount: toClaim }
}

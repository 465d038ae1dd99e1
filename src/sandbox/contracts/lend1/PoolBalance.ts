import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, field, i128, struct } from "../../../ledger/soroban/Values.ts"
import { BackstopError } from "./BackstopError.ts"
import { poolBalanceKey } from "./BackstopKeys.ts"
import { readAndExtend, sharedLife, writeAndExtend } from "./ExtendedEntries.ts"
import { narrow } from "./FixedPoint.ts"

/** What backs a pool: tokens, the shares in them, and how many of the shares wait to be withdrawn. */
export interface PoolBalance {
  readonly shares: bigint
  readonly tokens: bigint
  readonly queued: bigint
}

export const poolBalanceVal = ({ queued, shares, tokens }: PoolBalance): xdr.ScVal =>
  struct({ q4w: i128(queued), shares: i128(shares), tokens: i128(tokens) })

export const readPoolBalance = (host: ContractHost, pool: xdr.ScAddress): PoolBalance => {
  const value = readAndExtend(host, poolBalanceKey(pool), sharedLife)
  if (value === undefined) return { shares: 0n, tokens: 0n, queued: 0n }
  return { shares: asI128(field(value, "shares")), tokens: asI128(field(value, "tokens")), queued: asI128(field(value, "q4w")) }
}

export const writePoolBalance = (host: ContractHost, pool: xdr.ScAddress, balance: PoolBalance): void =>
  writeAndExtend(host, poolBalanceKey(pool), poolBalanceVal(balance), sharedLife)

export const sharesFor = ({ shares, tokens }: PoolBalance, deposited: bigint): bigint => {
  if (shares === 0n) return deposited
  return tokens === 0n ? 0n : narrow.mulFloor(deposited, shares, tokens)
}

export const tokensFor = (balance: PoolBalance, shares: bigint): bigint => {
  if (balance.shares === 0n) return 0n
  return balance.shares === shares ? balance.tokens : narrow.mulFloor(shares, balance.tokens, balance.shares)
}

export const withDeposit = (balance: PoolBalance, tokens: bigint, shares: bigint): PoolBalance => ({
  ...balance,
  tokens: balance.tokens + tokens,
  shares: balance.shares + shares
})

/** Takes out shares that were queued, and the tokens they stand for. */
export const withoutTokens = (host: ContractHost, balance: PoolBalance, tokens: bigint, shares: bigint): PoolBalance => {
  if (tokens > balance.tokens || shares > balance.shares || shares > balance.queued) host.fail(BackstopError.insufficientFunds)
  return { tokens: balance.tokens - tokens, shares: balance.shares - shares, queued: balance.queued - shares }
}

export const withoutQueued = (host: ContractHost, balance: PoolBalance, shares: bigint): PoolBalance => {
  if (shares > balance.queued) host.fail(BackstopError.insufficientFunds)
  return { ...balance, queued: balance.queued - shares }
}

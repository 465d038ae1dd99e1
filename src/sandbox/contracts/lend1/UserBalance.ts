import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, asU64, asVec, field, i128, struct, u64, vec } from "../../../ledger/soroban/Values.ts"
import { BackstopError } from "./BackstopError.ts"
import { userBalanceKey } from "./BackstopKeys.ts"
import type { BackstopTraits } from "./BackstopTraits.ts"
import { readAndExtend, userLife, writeAndExtend } from "./ExtendedEntries.ts"

/** Shares that may be withdrawn from a time on (Unix seconds). */
export interface QueuedWithdrawal {
  readonly amount: bigint
  readonly expiration: bigint
}

/** What a user has in the backstop of a pool: `shares` without those that are queued, oldest first. */
export interface UserBalance {
  readonly shares: bigint
  readonly queue: ReadonlyArray<QueuedWithdrawal>
}

export const queuedVal = ({ amount, expiration }: QueuedWithdrawal): xdr.ScVal => struct({ amount: i128(amount), exp: u64(expiration) })

export const userBalanceVal = ({ queue, shares }: UserBalance): xdr.ScVal =>
  struct({ q4w: vec(...queue.map(queuedVal)), shares: i128(shares) })

export const readUserBalance = (host: ContractHost, pool: xdr.ScAddress, user: xdr.ScAddress): UserBalance => {
  const value = readAndExtend(host, userBalanceKey(pool, user), userLife)
  if (value === undefined) return { shares: 0n, queue: [] }
  return {
    shares: asI128(field(value, "shares")),
    queue: asVec(field(value, "q4w")).map((each) => ({ amount: asI128(field(each, "amount")), expiration: asU64(field(each, "exp")) }))
  }
}

export const writeUserBalance = (host: ContractHost, pool: xdr.ScAddress, user: xdr.ScAddress, balance: UserBalance): void =>
  writeAndExtend(host, userBalanceKey(pool, user), userBalanceVal(balance), userLife)

export const queue = (
  host: ContractHost,
  { mostQueued, queueSeconds }: BackstopTraits,
  balance: UserBalance,
  amount: bigint
): { readonly balance: UserBalance; readonly queued: QueuedWithdrawal } => {
  if (balance.shares < amount) host.fail(BackstopError.balance)
  if (balance.queue.length >= mostQueued) host.fail(BackstopError.tooManyQueued)
  const queued = { amount, expiration: host.ledger.timestamp + queueSeconds }
  return { balance: { shares: balance.shares - amount, queue: [...balance.queue, queued] }, queued }
}

/** Takes an amount from the front of a list. */
const taken = (
  host: ContractHost,
  list: ReadonlyArray<QueuedWithdrawal>,
  amount: bigint,
  admit: (queued: QueuedWithdrawal) => void
): ReadonlyArray<QueuedWithdrawal> => {
  let left = amount
  for (const [at, queued] of list.entries()) {
    admit(queued)
    const rest = list.slice(at + 1)
    if (queued.amount > left) return [{ ...queued, amount: queued.amount - left }, ...rest]
    if (queued.amount === left) return rest
    left -= queued.amount
  }
  return left > 0n ? host.fail(BackstopError.balance) : []
}

/** Takes what has waited long enough, oldest first. */
export const withdrawn = (host: ContractHost, balance: UserBalance, amount: bigint): UserBalance => ({
  ...balance,
  queue: taken(host, balance.queue, amount, ({ expiration }) => {
    if (expiration > host.ledger.timestamp) host.fail(BackstopError.notExpired)
  })
})

/** Takes queued shares back: oldest first in the first version, newest first in the second. */
export const dequeued = (host: ContractHost, { version }: BackstopTraits, balance: UserBalance, amount: bigint): UserBalance => ({
  shares: balance.shares + amount,
  queue: version === 1
    ? taken(host, balance.queue, amount, () => {})
    : taken(host, balance.queue.toReversed(), amount, () => {}).toReversed()
})

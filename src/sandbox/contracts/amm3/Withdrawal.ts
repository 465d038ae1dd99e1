import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asI128, asU64, field, i128, string, u64, vec } from "../../../ledger/soroban/Values.ts"
import { pay, take } from "../HeldTokens.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { optional } from "./OptionalArgument.ts"
import { amountUnder, partsOf, reserveAKey, reserveBKey, setAmount, totalSharesKey } from "./PoolStore.ts"
import type { PoolTraits } from "./PoolTraits.ts"
import { portion, ratioOf } from "./Ratio.ts"

/** A stake to take out on the way. */
interface StakeToUnbond {
  readonly amount: bigint
  readonly timestamp: bigint
}

/** What someone asks of a withdrawal; amounts in base units, the deadline in Unix seconds. */
interface Asked {
  readonly sender: xdr.ScAddress
  readonly shares: bigint
  readonly leastA: bigint
  readonly leastB: bigint
  readonly deadline: bigint | null
  readonly unstaking: StakeToUnbond | null
}

const readUnstaking = (value: xdr.ScVal): StakeToUnbond => ({
  amount: asI128(field(value, "stake_amount")),
  timestamp: asU64(field(value, "stake_timestamp"))
})

const check = (host: ContractHost, { asksForNothing, errors }: PoolTraits, { deadline, leastA, leastB, shares }: Asked): void => {
  if (deadline !== null && host.ledger.timestamp > deadline) host.fail(errors.deadline)
  if (errors.negative !== null && (leastA < 0n || leastB < 0n)) host.fail(errors.negative)
  if (!asksForNothing && (leastA <= 0n || leastB <= 0n)) host.trap()
  if (shares <= 0n) host.trap()
}

const emit = (host: ContractHost, what: string, data: xdr.ScVal): void => host.emit([string("withdraw_liquidity"), string(what)], data)

const unstake = (host: ContractHost, stake: xdr.ScAddress, sender: xdr.ScAddress, { amount, timestamp }: StakeToUnbond): void => {
  host.call(stake, "unbond", addressVal(sender), i128(amount), u64(timestamp))
  emit(host, "auto unbonded", vec(i128(amount), u64(timestamp)))
}

/** Burns shares against the part of both reserves they are of all shares, rounded down. */
const withdraw = (host: ContractHost, traits: PoolTraits, asked: Asked): xdr.ScVal => {
  const { leastA, leastB, sender, shares, unstaking } = asked
  check(host, traits, asked)
  host.requireAuth(sender)
  extendInstance(host)
  const { shareToken, stake, tokenA, tokenB } = partsOf(host, traits)
  if (unstaking !== null) unstake(host, stake, sender, unstaking)
  take(host, shareToken, sender, shares)
  const [reserveA, reserveB] = [amountUnder(host, traits, reserveAKey), amountUnder(host, traits, reserveBKey)]
  const total = amountUnder(host, traits, totalSharesKey)
  if (total === 0n) host.fail(traits.errors.noShares)
  const ratio = ratioOf(shares, total)
  const [paidA, paidB] = [portion(reserveA, ratio), portion(reserveB, ratio)]
  if (paidA < leastA || paidB < leastB) host.fail(traits.errors.minimum)
  setAmount(host, traits, totalSharesKey, total - shares)
  host.call(shareToken, "burn", addressVal(host.address), i128(shares))
  pay(host, tokenA, sender, paidA)
  pay(host, tokenB, sender, paidB)
  setAmount(host, traits, reserveAKey, reserveA - paidA)
  setAmount(host, traits, reserveBKey, reserveB - paidB)
  emit(host, "sender", addressVal(sender))
  emit(host, "shares_amount", i128(shares))
  emit(host, "return_amount_a", i128(paidA))
  emit(host, "return_amount_b", i128(paidB))
  return vec(i128(paidA), i128(paidB))
}

/** `withdraw_liquidity` with the five or six arguments that a generation of pools takes. */
export const withdrawLiquidity = (traits: PoolTraits): ContractFunction =>
  traits.unstakes
    ? contractFunction(
      ["address", "i128", "i128", "i128", "value", "value"],
      (host, [sender, shares, leastA, leastB, deadline, unstaking]) =>
        withdraw(host, traits, {
          sender,
          shares,
          leastA,
          leastB,
          deadline: optional(host, deadline, asU64),
          unstaking: optional(host, unstaking, readUnstaking)
        })
    )
    : contractFunction(
      ["address", "i128", "i128", "i128", "value"],
      (host, [sender, shares, leastA, leastB, deadline]) =>
        withdraw(host, traits, { sender, shares, leastA, leastB, deadline: optional(host, deadline, asU64), unstaking: null })
    )

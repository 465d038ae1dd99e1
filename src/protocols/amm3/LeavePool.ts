import { xdr } from "@stellar/stellar-sdk"
import type { ContractCall, Payout } from "../../operations/ContractCall.ts"
import { account, contract, i128, u64 } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { isClaimed, isClaimedFirst } from "../kit/Claims.ts"
import { floorOf } from "../kit/Floor.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import { isDust, showWorth } from "../kit/Worth.ts"
import { payoutOf } from "./Payout.ts"
import { hasPosition, type PoolState } from "./Pool.ts"
import { claimName, type StakeReward } from "./Rewards.ts"
import type { Stake, StakeState } from "./StakeState.ts"

/** Shares in the wallet and bonded ones. */
export const allShares = ({ shares, staked }: PoolState): bigint => (staked?.stakes ?? []).reduce((sum, { amount }) => sum + amount, shares)

/** What shares pay of each token, base units. */
export const worthOf = ({ reserves: [a, b], totalShares }: PoolState, shares: bigint): readonly [bigint, bigint] => [
  payoutOf(a, shares, totalShares),
  payoutOf(b, shares, totalShares)
]

const plain = { holds: [], subCalls: [], recipients: [] } as const

/** Hashes of contracts below a call whose code is not listed. */
const below = (...contracts: ReadonlyArray<GatedContract<string>>): Pick<ContractCall, "codeBelow"> => {
  const hashes = contracts.filter(({ byInterface }) => byInterface).map(({ wasmHash }) => wasmHash)
  return hashes.length === 0 ? {} : { codeBelow: hashes }
}

const paid = (rewards: ReadonlyArray<StakeReward>): ReadonlyArray<Payout> =>
  rewards.map(({ amount, token }) => ({ token, expected: amount }))

/** Rewards that a call pays. By points only those of which something is due; else all, for nothing of one is paid out as well. */
const paidBy = ({ contract: { kind }, rewards }: StakeState): ReadonlyArray<StakeReward> =>
  (rewards ?? []).filter(({ amount }) => kind !== "pointsStake" || amount > 0n)

/** `withdraw_rewards(sender)`: every reward token in one call. */
const withdrawRewards = ({ user }: PoolState, staked: StakeState): ContractCall => ({
  ...plain,
  contract: staked.contract.address,
  function: claimName,
  args: [account.encode(user)],
  payouts: paid(paidBy(staked)),
  claimsOnly: true
})

/** `unbond(sender, stake_amount, stake_timestamp)`: the stake as it is stored, whole. `rewards`: what it pays on the way. */
const unbond = (
  { shareContract, shareToken, user }: PoolState,
  { contract: { address } }: StakeState,
  { amount, since }: Stake,
  rewards: ReadonlyArray<StakeReward>
): ContractCall => ({
  ...plain,
  ...below(shareContract),
  contract: address,
  function: "unbond",
  args: [account.encode(user), i128.encode(amount), u64.encode(since)],
  payouts: [{ token: shareToken, expected: amount }, ...paid(rewards)]
})

/** The least to accept of what is due: nothing only where nothing is. */
const leastAmount = (expected: bigint, maxSlippageBps: number): xdr.ScVal =>
  i128.encode(expected === 0n ? 0n : floorOf(expected, maxSlippageBps))

/** `withdraw_liquidity(sender, share_amount, min_a, min_b, deadline, [auto_unstake])`. */
const withdrawLiquidity = (pool: PoolState, { deadline, maxSlippageBps }: ExitContext): ContractCall => {
  const { contract: { address, kind }, shareContract, shareToken, tokens, user } = pool
  const shares = allShares(pool)
  const worth = worthOf(pool, shares)
  return {
    ...below(shareContract),
    contract: address,
    function: "withdraw_liquidity",
    args: [
      account.encode(user),
      i128.encode(shares),
      ...worth.map((expected) => leastAmount(expected, maxSlippageBps)),
      u64.encode(deadline),
      // Stakes were taken out before, one by one.
      ...(kind === "sixArgumentPool" ? [xdr.ScVal.scvVoid()] : [])
    ],
    payouts: [{ token: tokens[0], expected: worth[0] }, { token: tokens[1], expected: worth[1] }],
    holds: [{ token: shareToken, amount: shares }],
    subCalls: [
      {
        contract: shareToken,
        function: "transfer",
        args: [account.encode(user), contract.encode(address), i128.encode(shares)],
        subCalls: []
      }
    ],
    recipients: [address]
  }
}

/** Why shares cannot be turned into what they stand for; null: they can. */
const worthlessness = (pool: PoolState): string | null => {
  const worth = worthOf(pool, allShares(pool))
  if (worth.every((amount) => amount === 0n)) return "The pool would pay nothing for so few shares."
  // A pool of the older kind wants a least amount above nothing of both tokens.
  return pool.contract.kind === "fiveArgumentPool" && worth.some((amount) => amount === 0n)
    ? "The pool would pay nothing of one of its tokens for so few shares, and rejects that."
    : null
}

/** What shares come to in words, where they pay nothing and are worth next to nothing; null: they pay, or more is at stake. */
export const dustIn = (view: LedgerView, pool: PoolState): string | null => {
  const [shares, worth] = [allShares(pool), worthOf(pool, allShares(pool))]
  return worthlessness(pool) !== null && isDust(shares, worth) ? showWorth(view, pool.tokens, worth) : null
}

/**
 * Rewards that a stake pays when one of its stakes is taken out. By points it pays with the first what was not withdrawn before. Of a stake that is
 * known by what it declares any of its tokens may be paid each time, nothing of it included: each needs its line, unless rewards are declined.
 */
const alongside = (
  staked: StakeState,
  { claims, withoutRewards }: { readonly claims: boolean; readonly withoutRewards: boolean },
  index: number
): ReadonlyArray<StakeReward> => {
  switch (staked.contract.kind) {
    case "historyStake":
      return []
    case "pointsStake":
      return index === 0 && !claims ? paidBy(staked) : []
    case "stake":
      return withoutRewards ? [] : staked.tokens.map((token) => ({ token, amount: 0n }))
  }
}

/**
 * Whether rewards are claimed before the stakes are taken out. By the history of distributions something is due again only after another
 * distribution, which unbonding would give up: that is claimed however short ago the last claim was.
 */
const isClaimedHere = ({ contract: { kind }, rewards }: StakeState, context: ExitContext): boolean =>
  (rewards ?? []).some(({ amount }) => amount > 0n) &&
  (kind === "historyStake" ? isClaimed(context, claimName) : isClaimedFirst(context, claimName))

const callsOf = (pool: PoolState, context: ExitContext): ReadonlyArray<ContractCall> => {
  const { staked } = pool
  if (staked === null) return worthlessness(pool) === null ? [withdrawLiquidity(pool, context)] : []
  const claims = isClaimedHere(staked, context)
  const unbonds = staked.stakes.map((stake, index) => unbond(pool, staked, stake, alongside(staked, { ...context, claims }, index)))
  return [
    ...(claims ? [withdrawRewards(pool, staked)] : []),
    ...(worthlessness(pool) === null ? [...unbonds, withdrawLiquidity(pool, context)] : [])
  ]
}

/**
 * Leaves a pool: rewards first, for unbonding may give them up; then every stake by itself; then all shares, against the part of both
 * reserves they stand for. So few that they pay nothing stay behind.
 */
export const leavePool = (pool: PoolState, context: ExitContext): Exit => {
  const { staked, unread: [unread] } = pool
  if (!hasPosition(pool)) return unread === undefined ? { _tag: "Gone" } : unavailable(unread.reason)
  if (staked !== null && staked.rewards === null && !context.withoutRewards) {
    return refused({ _tag: "RewardsUnread", contract: staked.contract.address })
  }
  const [first, ...later] = callsOf(pool, context)
  if (first !== undefined) return { _tag: "Calls", calls: [first, ...later], unlocksAt: null }
  return dustIn(context.view, pool) === null
    ? unavailable(worthlessness(pool) ?? "Nothing of it can be withdrawn now.")
    : { _tag: "Gone" }
}

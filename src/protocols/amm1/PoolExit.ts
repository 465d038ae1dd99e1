import type { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall, Payout } from "../../operations/ContractCall.ts"
import { account, i128, i32, u128, vec } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import type { Reward } from "../HeldPosition.ts"
import { isClaimedFirst, isWorthClaiming } from "../kit/Claims.ts"
import { floorOf } from "../kit/Floor.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import type { HeldRange, RangePoolState } from "./RangePool.ts"
import { claimNames, owedOf, type PoolRewards } from "./Rewards.ts"
import type { SharePoolState } from "./SharePool.ts"

const plain = { holds: [], subCalls: [], recipients: [] } as const

/** One claim: `claim(user)` pays what the pool itself owes, `gauges_claim(user)` what all its gauges do. */
interface Claim {
  readonly name: Reward["claim"]
  readonly rewards: ReadonlyArray<Reward>
}

const claimsOf = ({ ofGauges, own }: PoolRewards): ReadonlyArray<Claim> => [
  { name: claimNames.own, rewards: own === null ? [] : [own] },
  { name: claimNames.ofGauges, rewards: ofGauges }
]

const isHeldUp = ({ heldUp }: Reward): boolean => heldUp !== undefined

/** What is worth a claim and cannot be claimed now. */
const heldUp = (rewards: PoolRewards, context: ExitContext): ReadonlyArray<Reward> =>
  owedOf(rewards).filter((one) => isHeldUp(one) && isWorthClaiming(context, one.claim))

/** Whether declined rewards are only those that are held up or could not be read, because there are such. */
const declinesSome = (rewards: PoolRewards, context: ExitContext): boolean => rewards.unread || heldUp(rewards, context).length > 0

/** The claims to be made. Where rewards are declined those that are held up or unread are given up; where none is, all of them. */
const claims = (pool: ContractAddress, rewards: PoolRewards, context: ExitContext): ReadonlyArray<ContractCall> =>
  context.withoutRewards && !declinesSome(rewards, context) ? [] : claimsOf(rewards)
    .filter((claim) =>
      isWorthClaiming(context, claim.name) && claim.rewards.some(({ amount }) => amount > 0n) && !claim.rewards.some(isHeldUp)
    )
    .map((claim) => ({
      ...plain,
      contract: pool,
      function: claim.name,
      args: [account.encode(context.user)],
      payouts: claim.rewards.map(({ amount, token }) => ({ token, expected: amount })),
      claimsOnly: true
    }))

/**
 * What leaves the position itself, then the claims: withdrawing keeps what was earned, and nothing more comes in afterwards, so that one claim pays
 * all of it. Of unlisted code that is not known: there it is claimed before as well. What leaving would give up without its owner's word
 * stops it.
 */
const leaving = (
  { address: pool, byInterface }: GatedContract<string>,
  rewards: PoolRewards,
  context: ExitContext,
  withdrawals: ReadonlyArray<ContractCall>
): Exit => {
  if (!context.withoutRewards) {
    if (rewards.unread) return refused({ _tag: "RewardsUnread", contract: pool })
    const [reason] = heldUp(rewards, context).flatMap((one) => one.heldUp ?? [])
    if (reason !== undefined) return unavailable(reason)
  }
  const all = claims(pool, rewards, context)
  const before = all.filter((claim) => byInterface && isClaimedFirst(context, claim.function))
  const [first, ...others] = [...before, ...withdrawals, ...all.filter((claim) => !before.includes(claim))]
  return first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }
}

/** The least to accept of each token: nothing only where nothing is due. */
const minimums = (amounts: ReadonlyArray<bigint>, { maxSlippageBps }: ExitContext): xdr.ScVal =>
  vec(u128).encode(amounts.map((amount) => (amount === 0n ? 0n : floorOf(amount, maxSlippageBps))))

/** What is paid of each token; a token of which nothing is due is not waited for. */
const paid = (parts: ReadonlyArray<{ readonly token: ContractAddress; readonly amount: bigint }>): ReadonlyArray<Payout> =>
  parts.map(({ amount, token }) => ({ token, expected: amount }))

const below = (...contracts: ReadonlyArray<GatedContract<string>>) => {
  const hashes = contracts.flatMap(({ byInterface, wasmHash }) => (byInterface ? [wasmHash] : []))
  return hashes.length === 0 ? {} : { codeBelow: hashes }
}

/** `withdraw(user, share_amount, min_amounts)`: burns the shares, which is the only call below it that the account agrees to. */
const withdrawal = ({ facts, parts, pool, shares, shareToken }: SharePoolState, context: ExitContext): ContractCall => ({
  ...plain,
  ...below(shareToken),
  contract: pool.address,
  function: "withdraw",
  args: [account.encode(context.user), u128.encode(shares), minimums(parts.map(({ amount }) => amount), context)],
  payouts: paid(parts),
  holds: [{ token: facts.shareToken, amount: shares }],
  subCalls: [{
    contract: facts.shareToken,
    function: "burn",
    args: [account.encode(context.user), i128.encode(shares)],
    subCalls: []
  }]
})

/** Leaves a pool whose shares are tokens. */
export const leaveSharePool = (state: SharePoolState, context: ExitContext): Exit =>
  leaving(state.pool, state.rewards, context, state.shares === 0n ? [] : [withdrawal(state, context)])

/**
 * `withdraw_position(owner, tick_lower, tick_upper, amount, min_amounts)`: pays what the liquidity is made of and all fees of the range.
 * A range without liquidity pays its fees by `claim_position_fees(owner, tick_lower, tick_upper)`.
 */
const rangeWithdrawal = ({ pool, tokens }: RangePoolState, held: HeldRange, context: ExitContext): ContractCall => {
  const { fees, liquidity, principal, range: { lower, upper } } = held
  const amounts = tokens.map((token, index) => ({ token, amount: (principal[index] ?? 0n) + (fees[index] ?? 0n) }))
  const where = [account.encode(context.user), i32.encode(lower), i32.encode(upper)]
  return {
    ...plain,
    contract: pool.address,
    function: liquidity === 0n ? "claim_position_fees" : "withdraw_position",
    args: liquidity === 0n ? where : [...where, u128.encode(liquidity), minimums(amounts.map(({ amount }) => amount), context)],
    payouts: paid(amounts.filter(({ amount }) => amount > 0n))
  }
}

/** Leaves a concentrated pool, range by range. */
export const leaveRangePool = (state: RangePoolState, context: ExitContext): Exit =>
  leaving(state.pool, state.rewards, context, state.ranges.map((held) => rangeWithdrawal(state, held, context)))

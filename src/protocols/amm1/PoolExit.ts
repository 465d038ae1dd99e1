import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { ContractCall, Payout } from "../../operations/ContractCall.ts"
import { account, i128, i32, u128, vec } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import type { Reward } from "../HeldPosition.ts"
import { floorOf } from "../kit/Floor.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import type { HeldRange, RangePoolState } from "./RangePool.ts"
import { type Earning, owedOf, type PoolRewards } from "./Rewards.ts"
import type { SharePoolState } from "./SharePool.ts"

const plain = { holds: [], subCalls: [], recipients: [] } as const

/** Whoever pays rewards of a pool: itself by `claim(user)`, all its gauges at once by `gauges_claim(user)`. */
interface Payer {
  readonly name: "claim" | "gauges_claim"
  readonly earnings: ReadonlyArray<Earning>
}

const payersOf = ({ ofGauges, own }: PoolRewards): ReadonlyArray<Payer> => [
  { name: "claim", earnings: own === null ? [] : [own] },
  { name: "gauges_claim", earnings: ofGauges }
]

/** A claim of what a payer owes now, or of what comes in once that was claimed. */
const claimOf = (
  pool: ContractAddress,
  user: AccountAddress,
  { earnings, name }: Payer,
  amountOf: (earning: Earning) => bigint
): ContractCall => ({
  ...plain,
  contract: pool,
  function: name,
  args: [account.encode(user)],
  payouts: earnings.map((earning) => ({ token: earning.token, expected: amountOf(earning) })),
  claimsOnly: true
})

const isOpen = ({ heldUp }: Reward): boolean => heldUp === undefined

/** Of what cannot be claimed now, what would be missed. */
const heldUp = (rewards: PoolRewards): ReadonlyArray<Reward> => owedOf(rewards).filter((one) => !isOpen(one) && !one.dust)

/**
 * Claims that come first, of what is more than comes in meanwhile, and those that come last. Who declines rewards gives up those that
 * are held up; where none is, all of them.
 */
const claims = (pool: ContractAddress, rewards: PoolRewards, { user, withoutRewards }: ExitContext) => {
  const payers = withoutRewards && heldUp(rewards).length === 0 ? [] : payersOf(rewards)
  const isDue = ({ earnings }: Payer) => earnings.some((one) => isOpen(one) && !one.waits)
  const isDueAgain = ({ earnings }: Payer) => earnings.some((one) => isOpen(one) && one.comesBack)
  const isDueLater = ({ earnings }: Payer) => earnings.some((one) => isOpen(one) && !one.dust)
  return {
    first: payers.filter(isDue).map((payer) => claimOf(pool, user, payer, ({ amount }) => amount)),
    last: payers.flatMap((payer) => {
      if (isDue(payer)) return isDueAgain(payer) ? [claimOf(pool, user, payer, () => 0n)] : []
      return isDueLater(payer) ? [claimOf(pool, user, payer, ({ amount }) => amount)] : []
    })
  }
}

/** Claims, then what leaves the position itself, then claims of what came in too fast before. What leaving would give up without anybody's word stops it. */
const leaving = (
  pool: ContractAddress,
  rewards: PoolRewards,
  context: ExitContext,
  withdrawals: ReadonlyArray<ContractCall>
): Exit => {
  if (!context.withoutRewards) {
    if (rewards.unread) return refused({ _tag: "RewardsUnread", contract: pool })
    const [reason] = heldUp(rewards).flatMap((one) => one.heldUp ?? [])
    if (reason !== undefined) return unavailable(reason)
  }
  const { first: before, last } = claims(pool, rewards, context)
  const [first, ...others] = [...before, ...withdrawals, ...last]
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
  leaving(state.pool.address, state.rewards, context, state.shares === 0n ? [] : [withdrawal(state, context)])

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
  leaving(state.pool.address, state.rewards, context, state.ranges.map((held) => rangeWithdrawal(state, held, context)))

import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { account, contract, i128, vec } from "../../stellar/ScValCodec.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { isClaimed, isClaimedFirst } from "../kit/Claims.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import { floorOf } from "../kit/Floor.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import { showWorth } from "../kit/Worth.ts"
import { allShares, lockOf, mostQueued } from "./Backstop.ts"
import type { BackstopState } from "./Backstop.ts"
import { cometDust, exitPool, joinedShares, worthOf } from "./Comet.ts"
import type { CometState } from "./Comet.ts"
import { claimName } from "./PoolClaim.ts"

const plain = { holds: [], subCalls: [], recipients: [] } as const

/** v1 `claim(from, pools, to)`, v2 `claim(from, pools, min_lp_tokens_out)`. What is claimed is deposited again, as shares. */
const claim = (
  { address, pool, reward, rewardToken, version }: BackstopState,
  comet: CometState,
  { maxSlippageBps, user }: ExitContext
): ContractCall => ({
  ...plain,
  contract: address,
  function: claimName,
  args: [
    account.encode(user),
    vec(contract).encode([pool]),
    version === "backstopV1" ? account.encode(user) : i128.encode(floorOf(joinedShares(comet, rewardToken, reward), maxSlippageBps))
  ],
  payouts: [],
  claimsOnly: true
})

/** `queue_withdrawal(from, pool_address, amount)`. */
const queue = ({ address, pool }: BackstopState, user: AccountAddress, shares: bigint): ContractCall => ({
  ...plain,
  contract: address,
  function: "queue_withdrawal",
  args: [account.encode(user), contract.encode(pool), i128.encode(shares)],
  payouts: []
})

/** `withdraw(from, pool_address, amount)`: pays the deposited token. */
const withdraw = ({ address, pool, token }: BackstopState, user: AccountAddress, shares: bigint, expected: bigint): ContractCall => ({
  ...plain,
  contract: address,
  function: "withdraw",
  args: [account.encode(user), contract.encode(pool), i128.encode(shares)],
  payouts: [{ token, expected }]
})

/** What shares of the deposit are worth in the deposited token, base units. */
const tokensOf = (backstop: BackstopState, part: bigint): bigint => {
  const [all, { tokens }] = [allShares(backstop), backstop]
  return all === 0n ? 0n : mulDown(part, tokens, all)
}

/** Entries from the oldest on whose time is over; one whose time comes at this very second counts. */
const unlocked = ({ queue: queued }: BackstopState, now: bigint): bigint => {
  let shares = 0n
  for (const { amount, unlocksAt } of queued) {
    if (unlocksAt > now) break
    shares += amount
  }
  return shares
}

/** What moves shares now: into the queue, and out of it what it has set free. */
const moves = (backstop: BackstopState, user: AccountAddress, toQueue: bigint, now: bigint): ReadonlyArray<ContractCall> => {
  const free = unlocked(backstop, now)
  const queued = toQueue > 0n ? [queue(backstop, user, toQueue)] : []
  const withdrawn = free > 0n ? [withdraw(backstop, user, free, tokensOf(backstop, free))] : []
  const isFull = backstop.queue.length >= mostQueued[backstop.version]
  if (!isFull) return [...queued, ...withdrawn]
  // A full queue takes nothing before something of it is withdrawn.
  return free > 0n ? [...withdrawn, ...queued] : []
}

/**
 * Shares that the claim brings which is to be made; 0: none is. What is queued earns nothing more, so that a claim then is not made again and
 * again. A claim that comes to no share at all brings nothing.
 */
const claimedShares = (backstop: BackstopState, comet: CometState, context: ExitContext): bigint => {
  const isDue = backstop.shares > 0n ? isClaimedFirst(context, claimName) : isClaimed(context, claimName)
  return isDue ? joinedShares(comet, backstop.rewardToken, backstop.reward) : 0n
}

/**
 * Leaves the backstop of a pool: rewards (which come as shares), then everything into the queue, then what the queue has set free.
 * The comet shares that come out of it are a position of their own. A deposit of so few that these would pay nothing stays behind.
 */
export const leaveBackstop = (backstop: BackstopState, comet: CometState, context: ExitContext): Exit => {
  const { user, view } = context
  const now = view.closeTime
  const added = claimedShares(backstop, comet, context)
  const claimed = added === 0n ? null : claim(backstop, comet, context)
  if (claimed === null && cometDust(view, comet, backstop.tokens, allShares(backstop)) !== null) return { _tag: "Gone" }
  // What would pay nothing is not worth another wait.
  const isDust = cometDust(view, comet, tokensOf(backstop, backstop.shares) + added, backstop.shares + added) !== null
  const toQueue = isDust ? 0n : backstop.shares + added
  const calls = [...(claimed === null ? [] : [claimed]), ...moves(backstop, user, toQueue, now)]
  const waiting = backstop.queue.filter(({ unlocksAt }) => unlocksAt > now).map(({ unlocksAt }) => unlocksAt)
  const last = [...waiting, ...(toQueue > 0n ? [now + lockOf[backstop.version]] : [])].reduce(
    (latest, one) => Big.max(latest, one),
    0n
  )
  const [first, ...others] = calls
  if (first !== undefined) return { _tag: "Calls", calls: [first, ...others], unlocksAt: last === 0n ? null : last }
  const [next] = waiting
  return next === undefined ? { _tag: "Gone" } : refused({ _tag: "CoolingDown", unlocksAt: next })
}

/** Leaves the comet pool with the shares that are in the wallet; with so few that it pays nothing for them it is over. */
export const leaveComet = (comet: CometState, { maxSlippageBps, user, view }: ExitContext): Exit => {
  const { held, tokens } = comet
  if (held === 0n || cometDust(view, comet, held) !== null) return { _tag: "Gone" }
  const worth = worthOf(comet, held)
  return worth.includes(0n)
    ? unavailable(
      `The shares are worth ${
        showWorth(view, tokens.map(({ token }) => token), worth)
      }, and the pool pays nothing if one of its tokens rounds to zero. It pays for more shares.`
    )
    : { _tag: "Calls", calls: [exitPool(comet, user, held, maxSlippageBps)], unlocksAt: null }
}

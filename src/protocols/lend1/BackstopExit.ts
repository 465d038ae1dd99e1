import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { account, contract, i128, vec } from "../../stellar/ScValCodec.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import { floorOf } from "../kit/Floor.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import { isDust, showWorth } from "../kit/ShareWorth.ts"
import { lockOf, mostQueued } from "./Backstop.ts"
import type { BackstopState } from "./Backstop.ts"
import { exitPool, joinedShares, worthOf } from "./Comet.ts"
import type { CometState } from "./Comet.ts"

const plain = { holds: [], subCalls: [], recipients: [] } as const

/** v1 `claim(from, pools, to)`, v2 `claim(from, pools, min_lp_tokens_out)`. What is claimed is deposited again, as shares. */
const claim = (
  { address, pool, reward, rewardToken, version }: BackstopState,
  comet: CometState,
  { maxSlippageBps, user }: ExitContext
): ContractCall => ({
  ...plain,
  contract: address,
  function: "claim",
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
  const all = backstop.shares + backstop.queue.reduce((sum, { amount }) => sum + amount, 0n)
  const queued = toQueue > 0n ? [queue(backstop, user, toQueue)] : []
  const withdrawn = free > 0n ? [withdraw(backstop, user, free, all === 0n ? 0n : mulDown(free, backstop.tokens, all))] : []
  const isFull = backstop.queue.length >= mostQueued[backstop.version]
  if (!isFull) return [...queued, ...withdrawn]
  // A full queue takes nothing before something of it is withdrawn.
  return free > 0n ? [...withdrawn, ...queued] : []
}

/**
 * Leaves the backstop of a pool: rewards (which come as shares), then everything into the queue, then what the queue has set free.
 * The comet shares that come out of it are a position of their own.
 */
export const leaveBackstop = (backstop: BackstopState, comet: CometState, context: ExitContext): Exit => {
  const { user, view, withoutRewards } = context
  const now = view.closeTime
  const claimed = withoutRewards || backstop.rewardIsDust ? null : claim(backstop, comet, context)
  const added = claimed === null ? 0n : joinedShares(comet, backstop.rewardToken, backstop.reward)
  const toQueue = backstop.shares + added
  const calls = [...(claimed === null ? [] : [claimed]), ...moves(backstop, user, toQueue, now)]
  const waiting = backstop.queue.filter(({ unlocksAt }) => unlocksAt > now).map(({ unlocksAt }) => unlocksAt)
  const last = [...waiting, ...(toQueue > 0n ? [now + lockOf[backstop.version]] : [])].reduce(
    (latest, one) => (one > latest ? one : latest),
    0n
  )
  const [first, ...others] = calls
  if (first !== undefined) return { _tag: "Calls", calls: [first, ...others], unlocksAt: last === 0n ? null : last }
  const [next] = waiting
  return next === undefined ? { _tag: "Gone" } : refused({ _tag: "CoolingDown", unlocksAt: next })
}

/** Leaves the comet pool with the shares that are in the wallet. It refuses where one of its tokens comes to none for them. */
export const leaveComet = (comet: CometState, { maxSlippageBps, user, view }: ExitContext): Exit => {
  const worth = worthOf(comet, comet.held)
  if (comet.held === 0n || isDust(worth)) return { _tag: "Gone" }
  return worth.includes(0n)
    ? unavailable(
      `The shares come to ${
        showWorth(view, comet.tokens.map(({ token }) => token), worth)
      }, and the pool pays nothing where one of its tokens comes to none. More shares would.`
    )
    : { _tag: "Calls", calls: [exitPool(comet, user, comet.held, maxSlippageBps)], unlocksAt: null }
}

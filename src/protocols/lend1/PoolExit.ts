import { account, address, contract, i128, struct, u32, vec } from "../../chain/ScValCodec.ts"
import type { Of } from "../../chain/ScValCodec.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractCall, Payout, SubCall } from "../../operations/ContractCall.ts"
import type { Exit, ExitContext } from "../Protocol.ts"
import { mulUp } from "./FixedPoint.ts"
import { accrued, debtOf } from "./Interest.ts"
import type { PoolState, ReserveHolding } from "./Pool.ts"

const Request = struct({ address: contract, amount: i128, request_type: u32 })
type Request = Of<typeof Request>

const withdraw = 1
const withdrawCollateral = 3
const repay = 5

/** Asks for everything: the pool pays what there is. More than any position, and far enough from where the pool's arithmetic ends. */
const everything = 9_223_372_036_854_775_807n

/** What is asked for above a debt, per thousand; the pool gives back what is too much. */
const margin = 1n

/** The longest time between reading and applying that a repayment must still cover, seconds. */
const longestWait = 600n

/** A debt with the interest of the longest wait: less than this may leave something owed. */
const least = ({ config, dTokens, stored }: ReserveHolding, { bstopRate, version }: PoolState, now: bigint): bigint =>
  debtOf(version, dTokens, accrued(version, config, stored, bstopRate, now + longestWait).d_rate)

/** What a repayment asks for when the account has enough. */
export const repayment = (debt: bigint): bigint => mulUp(debt, 1000n + margin, 1000n)

const claim = (pool: PoolState, user: AccountAddress): ContractCall | null => {
  const rewards = pool.rewards.filter(({ amount }) => amount > 0n)
  if (rewards.every(({ dust }) => dust)) return null
  return {
    contract: pool.address,
    function: "claim",
    args: [account.encode(user), vec(u32).encode(rewards.map(({ id }) => id)), account.encode(user)],
    payouts: [{ token: pool.rewardToken, expected: rewards.reduce((sum, { amount }) => sum + amount, 0n) }],
    holds: [],
    subCalls: [],
    recipients: []
  }
}

/** `submit(from, spender, to, requests)`, all three the account. Its own transfers into the pool are the sub-calls. */
export const submit = (pool: PoolState, user: AccountAddress, requests: ReadonlyArray<Request>): ContractCall => {
  const repaid = requests.filter(({ request_type }) => request_type === repay)
  const holding = (request: Request) => pool.holdings.find(({ asset }) => asset === request.address)
  const paid = new Map<Payout["token"], bigint>()
  const pay = (token: Payout["token"], amount: bigint) => paid.set(token, (paid.get(token) ?? 0n) + amount)
  for (const request of requests) {
    const held = holding(request)
    if (held === undefined) continue
    if (request.request_type === repay && request.amount > held.debt) pay(request.address, request.amount - held.debt)
    if (request.request_type === withdrawCollateral) pay(request.address, held.collateral)
    if (request.request_type === withdraw) pay(request.address, held.supply)
  }
  return {
    contract: pool.address,
    function: "submit",
    args: [account.encode(user), account.encode(user), account.encode(user), vec(Request).encode(requests)],
    payouts: [...paid].map(([token, expected]) => ({ token, expected })),
    holds: repaid.map(({ address: token, amount }) => ({ token, amount })),
    subCalls: repaid.map(({ address: token, amount }): SubCall => ({
      contract: token,
      function: "transfer",
      args: [account.encode(user), address.encode(pool.address), i128.encode(amount)],
      subCalls: []
    })),
    recipients: [pool.address]
  }
}

const withdrawals = (holdings: ReadonlyArray<ReserveHolding>): ReadonlyArray<Request> => [
  ...holdings.flatMap(({ asset, bCollateral }) => (bCollateral > 0n ? [{ address: asset, amount: everything, request_type: withdrawCollateral }] : [])),
  ...holdings.flatMap(({ asset, bSupply }) => (bSupply > 0n ? [{ address: asset, amount: everything, request_type: withdraw }] : []))
]

/** What the account has for a repayment once its plain supply of the same asset is withdrawn; such supply backs no debt. */
const fundsOf = ({ asset, supply }: ReserveHolding, { spendable }: ExitContext): { readonly now: bigint; readonly later: bigint } => {
  const now = spendable(asset)
  return { now, later: now + supply }
}

/** Leaves a pool: rewards, then one submit that repays every debt before it withdraws everything. */
export const leavePool = (pool: PoolState, context: ExitContext): Exit => {
  const { user, view, withoutRewards } = context
  const debts = pool.holdings.filter(({ dTokens }) => dTokens > 0n)
  if (pool.version === "poolV2" && pool.liquidation) {
    return { _tag: "Refused", refusal: { _tag: "Unavailable", reason: "A liquidation of this account is under way in the pool, which refuses everything until it is over." } }
  }
  for (const debt of debts) {
    const { later } = fundsOf(debt, context)
    if (later < least(debt, pool, view.closeTime)) {
      return { _tag: "Refused", refusal: { _tag: "RepayAssetShort", token: debt.asset, needed: repayment(debt.debt), held: later } }
    }
  }
  // Withdrawn first where the wallet alone cannot repay: transfers into the pool come before those out of it.
  const early = debts.filter((debt) => debt.bSupply > 0n && fundsOf(debt, context).now < least(debt, pool, view.closeTime))
  const after = pool.holdings.map((holding) => (early.includes(holding) ? { ...holding, bSupply: 0n, supply: 0n } : holding))
  const repayments = debts.map((debt): Request => {
    const wanted = repayment(debt.debt)
    const { later, now } = fundsOf(debt, context)
    const held = early.includes(debt) ? later : now
    return { address: debt.asset, amount: held < wanted ? held : wanted, request_type: repay }
  })
  const requests = [...repayments, ...withdrawals(after)]
  const claimed = withoutRewards ? null : claim(pool, user)
  const calls = [
    ...(claimed === null ? [] : [claimed]),
    ...(early.length === 0 ? [] : [submit(pool, user, early.map(({ asset }) => ({ address: asset, amount: everything, request_type: withdraw })))]),
    ...(requests.length === 0 ? [] : [submit({ ...pool, holdings: after }, user, requests)])
  ]
  const [first, ...others] = calls
  return first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }
}

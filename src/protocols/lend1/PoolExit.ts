import { BigInt as Big } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { ContractCall, SubCall } from "../../operations/ContractCall.ts"
import { account, address, contract, i128, struct, u32, vec } from "../../stellar/ScValCodec.ts"
import type { Of } from "../../stellar/ScValCodec.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { isClaimed, isClaimedFirst } from "../kit/Claims.ts"
import { mulUp } from "../kit/FixedPoint.ts"
import { refused, unavailable } from "../kit/NoExit.ts"
import { healthFactor, healthOf } from "./Health.ts"
import { accrued, debtOf } from "./Interest.ts"
import type { PoolState, ReserveHolding } from "./Pool.ts"
import { claimName, poolClaim, unclaimed } from "./PoolClaim.ts"

/** One request in a call of `submit`; base units. */
export const Request = struct({ address: contract, amount: i128, request_type: u32 })
export type Request = Of<typeof Request>

const withdraw = 1
const withdrawCollateral = 3
const repay = 5

/** Asks for everything: the pool pays what there is. More than any position, and far enough from where the pool's arithmetic ends. */
const everything = 9_223_372_036_854_775_807n

/** How much more than a debt is paid, per thousand; the pool returns the excess. */
const margin = 1n

/** The time between reading and applying that a repayment must cover at least, seconds. */
const shortestWait = 600n

/** A debt with the interest of the longest wait from then on: less than this may leave something owed. */
const leastRepayment = (
  { config, dTokens, stored }: ReserveHolding,
  pool: PoolState,
  now: bigint,
  { usableFor = 0n }: ExitContext
): bigint => debtOf(pool.version, dTokens, accrued(pool, config, stored, now + Big.max(shortestWait, usableFor)).d_rate)

/** What a repayment asks for when the account has enough. */
export const repayment = (debt: bigint): bigint => mulUp(debt, 1000n + margin, 1000n)

/** What requests pay to the account and take from it, by token; base units. */
const movesOf = (pool: PoolState, requests: ReadonlyArray<Request>) => {
  const [paid, taken] = [new Map<ContractAddress, bigint>(), new Map<ContractAddress, bigint>()]
  const add = (sums: Map<ContractAddress, bigint>, token: ContractAddress, amount: bigint) =>
    sums.set(token, (sums.get(token) ?? 0n) + amount)
  for (const { address: asset, amount, request_type } of requests) {
    const held = pool.holdings.find((holding) => holding.asset === asset)
    if (request_type === repay) add(taken, asset, amount)
    if (held === undefined) continue
    if (request_type === repay && amount > held.debt) add(paid, asset, amount - held.debt)
    if (request_type === withdrawCollateral) add(paid, asset, Big.min(amount, held.collateral))
    if (request_type === withdraw) add(paid, asset, held.supply)
  }
  return { paid, taken }
}

const called = (pool: PoolState, name: string, user: AccountAddress, requests: ReadonlyArray<Request>) => ({
  contract: pool.address,
  function: name,
  args: [account.encode(user), account.encode(user), account.encode(user), vec(Request).encode(requests)],
  recipients: [pool.address]
})

/** `submit(from, spender, to, requests)`, all three the account. Its own transfers into the pool are the sub-calls. */
export const submit = (pool: PoolState, user: AccountAddress, requests: ReadonlyArray<Request>): ContractCall => {
  const { paid, taken } = movesOf(pool, requests)
  return {
    ...called(pool, "submit", user, requests),
    payouts: [...paid].map(([token, expected]) => ({ token, expected })),
    holds: [...taken].map(([token, amount]) => ({ token, amount })),
    subCalls: [...taken].map(([token, amount]): SubCall => ({
      contract: token,
      function: "transfer",
      args: [account.encode(user), address.encode(pool.address), i128.encode(amount)],
      subCalls: []
    }))
  }
}

/**
 * `submit_with_allowance(from, spender, to, requests)`, pool v2: as `submit`, but both ways of a token are set off against each other.
 * Built only where nothing is left to come in, so that the pool takes nothing and needs no allowance.
 */
const submitNetted = (pool: PoolState, user: AccountAddress, requests: ReadonlyArray<Request>): ContractCall => {
  const { paid, taken } = movesOf(pool, requests)
  const net = [...paid].map(([token, amount]) => ({ token, expected: amount - (taken.get(token) ?? 0n) }))
  return {
    ...called(pool, "submit_with_allowance", user, requests),
    payouts: net.filter(({ expected }) => expected > 0n),
    holds: [],
    subCalls: []
  }
}

const withdrawals = (holdings: ReadonlyArray<ReserveHolding>): ReadonlyArray<Request> => [
  ...holdings.flatMap((
    { asset, bCollateral }
  ) => (bCollateral > 0n ? [{ address: asset, amount: everything, request_type: withdrawCollateral }] : [])),
  ...holdings.flatMap(({ asset, bSupply }) => (bSupply > 0n ? [{ address: asset, amount: everything, request_type: withdraw }] : []))
]

/** A debt, and what there is of its asset to pay it with; base units. Plain supply backs no debt, so it can be withdrawn before. */
interface DebtFunds {
  readonly debt: ReserveHolding
  /** What a repayment must cover. */
  readonly least: bigint
  readonly wallet: bigint
  /** What the pool itself holds of it for the account, as far as the pool sets it off: collateral only in v2. */
  readonly inPool: bigint
}

const fundedBy = (pool: PoolState, context: ExitContext) => (debt: ReserveHolding): DebtFunds => ({
  debt,
  least: leastRepayment(debt, pool, context.view.closeTime, context),
  wallet: context.spendable(debt.asset),
  inPool: debt.supply + (pool.version === "poolV2" ? debt.collateral : 0n)
})

const repaying = ({ debt: { asset } }: DebtFunds, amount: bigint): Request => ({ address: asset, amount, request_type: repay })

/** How healthy a position stays at the least while collateral is out and the debt is not repaid, seven decimals: room for prices to move. */
const safeHealth = 10_500_000n

/** What a repayment asks for when there is enough: a margin, and what the debt may grow by until it is applied. */
const wantedOf = ({ debt: { debt }, least: needed }: DebtFunds): bigint => Big.max(repayment(debt), needed)

const isShort = ({ inPool, least: needed, wallet }: DebtFunds): boolean => wallet + inPool < needed

/**
 * Pool v1 sets nothing off: what debts lack is taken out of collateral of their own asset first, and repays them in the next call. Null
 * where that is not enough, or would leave the rest less than safe by the oracle's prices, or those are not known.
 */
const freed = (pool: PoolState, debts: ReadonlyArray<DebtFunds>) => {
  const amounts = new Map(
    debts.filter(isShort).map((one) => [one.debt.asset, Big.min(wantedOf(one) - one.wallet - one.inPool, one.debt.collateral)])
  )
  const holdings = pool.holdings.map((holding) => {
    const taken = amounts.get(holding.asset) ?? 0n
    return { ...holding, collateral: holding.collateral - taken, bCollateral: taken === holding.collateral ? 0n : holding.bCollateral }
  })
  const after = debts.flatMap((one) =>
    holdings.filter(({ asset }) => asset === one.debt.asset).map((debt) => ({
      ...one,
      debt,
      wallet: one.wallet + (amounts.get(debt.asset) ?? 0n)
    }))
  )
  const health = healthOf(holdings, pool.prices)
  if (pool.version !== "poolV1" || after.some(isShort) || health === null || (healthFactor(health) ?? 0n) < safeHealth) return null
  return {
    requests: [...amounts].map(([asset, amount]): Request => ({ address: asset, amount, request_type: withdrawCollateral })),
    pool: { ...pool, holdings },
    debts: after
  }
}

/** Supply withdrawn first where the wallet alone cannot repay, for `submit` takes before it pays; then one that repays before it withdraws. */
const leaveInTurn = (pool: PoolState, user: AccountAddress, debts: ReadonlyArray<DebtFunds>): ReadonlyArray<ContractCall> => {
  const early = debts.filter(({ least: needed, wallet }) => wallet < needed)
  const after = pool.holdings.map((
    holding
  ) => (early.some(({ debt }) => debt === holding) ? { ...holding, bSupply: 0n, supply: 0n } : holding))
  const repayments = debts.map((one) => repaying(one, Big.min(wantedOf(one), one.wallet + (early.includes(one) ? one.debt.supply : 0n))))
  const requests = [...repayments, ...withdrawals(after)]
  return [
    ...(early.length === 0
      ? []
      : [submit(pool, user, early.map(({ debt: { asset } }) => ({ address: asset, amount: everything, request_type: withdraw })))]),
    ...(requests.length === 0 ? [] : [submit({ ...pool, holdings: after }, user, requests)])
  ]
}

/**
 * First the wallet pays the debts that the account's holdings of their asset in the pool do not cover. Then one call offsets everything
 * else and takes nothing. Holdings in the pool are used first, so that tokens arriving in the wallet during the exit do not change the
 * calls.
 */
const leaveNetted = (pool: PoolState, user: AccountAddress, debts: ReadonlyArray<DebtFunds>): ReadonlyArray<ContractCall> => {
  const fromWallet = (one: DebtFunds): bigint => {
    const wanted = wantedOf(one)
    if (one.inPool >= one.least) return 0n
    if (one.wallet >= one.least) return Big.min(wanted, one.wallet)
    // A d token more, for a repayment that settles none at all is refused.
    return Big.min(wanted - one.inPool + debtOf(pool.version, 1n, one.debt.data.d_rate), one.wallet)
  }
  const first = debts.flatMap((one) => (fromWallet(one) > 0n ? [repaying(one, fromWallet(one))] : []))
  const after = pool.holdings.map((holding) => {
    const one = debts.find(({ debt }) => debt === holding)
    const left = holding.debt - (one === undefined ? 0n : fromWallet(one))
    return left > 0n ? { ...holding, debt: left } : { ...holding, debt: 0n }
  })
  const rest = after.flatMap(({ asset, debt }) => (debt > 0n ? [{ address: asset, amount: repayment(debt), request_type: repay }] : []))
  return [
    ...(first.length === 0 ? [] : [submit(pool, user, first)]),
    submitNetted({ ...pool, holdings: after }, user, [...rest, ...withdrawals(after)])
  ]
}

/** The calls that repay every debt and withdraw everything; null where a debt lacks what pays it. */
const callsFor = (pool: PoolState, user: AccountAddress, debts: ReadonlyArray<DebtFunds>): ReadonlyArray<ContractCall> | null => {
  if (debts.some(isShort)) {
    const first = freed(pool, debts)
    return first === null ? null : [submit(pool, user, first.requests), ...leaveInTurn(first.pool, user, first.debts)]
  }
  const inTurn = debts.every(({ debt, least: needed, wallet }) => wallet + debt.supply >= needed)
  return inTurn ? leaveInTurn(pool, user, debts) : leaveNetted(pool, user, debts)
}

/** A debt with so much more of its asset in hand, where it is owed in what a claim pays. */
const fedBy = ({ rewardToken }: PoolState, units: bigint) => (one: DebtFunds): DebtFunds =>
  one.debt.asset === rewardToken ? { ...one, wallet: one.wallet + units } : one

/** When what a debt lacks is there at the latest, Unix seconds. */
const arrival = ({ deadline, view: { closeTime } }: ExitContext): bigint => Big.max(deadline, closeTime)

const inOrder = ([first, ...others]: ReadonlyArray<ContractCall>): Exit =>
  first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }

/** What is said of the first debt that what there is does not pay; nothing is left to do where there is none. */
const lacking = (pool: PoolState, debts: ReadonlyArray<DebtFunds>, context: ExitContext): Exit => {
  const short = debts.find(isShort)
  return short === undefined
    ? { _tag: "Gone" }
    : refused({
      _tag: "RepayAssetShort",
      token: short.debt.asset,
      needed: leastRepayment(short.debt, pool, arrival(context), context),
      held: short.wallet + short.inPool
    })
}

/**
 * Leaves a pool: every debt repaid, then everything withdrawn, then rewards claimed, once and whole: they outlive the position, and
 * nothing comes in any more. Where a debt lacks what the claim pays, the claim comes first; so it does where what it pays is to buy
 * what a debt lacks.
 */
export const leavePool = (pool: PoolState, context: ExitContext): Exit => {
  const { buysWith, user, withoutRewards } = context
  if (pool.version === "poolV2" && pool.liquidation) {
    return unavailable("The pool is liquidating this account and rejects every call until that ends.")
  }
  const debts = pool.holdings.filter(({ dTokens }) => dTokens > 0n).map(fundedBy(pool, context))
  const last = isClaimed(context, claimName) && unclaimed(pool) > 0n ? [poolClaim(pool, user)] : []
  const leaving = callsFor(pool, user, debts)
  if (leaving !== null) return inOrder([...leaving, ...last])
  const earned = withoutRewards ? 0n : unclaimed(pool)
  const fed = debts.map(fedBy(pool, earned))
  const afterwards = earned > 0n ? callsFor(pool, user, fed) : null
  if (afterwards !== null) return inOrder([poolClaim(pool, user), ...afterwards])
  if (earned > 0n && buysWith === pool.rewardToken && isClaimedFirst(context, claimName)) {
    return { _tag: "Calls", calls: [poolClaim(pool, user)], unlocksAt: null, leadsOn: true }
  }
  return lacking(pool, fed, context)
}

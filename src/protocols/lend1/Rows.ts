import type { AccountAddress } from "../../domain/Address.ts"
import { showUnits } from "../../domain/Amount.ts"
import { showSecond } from "../../domain/Instant.ts"
import type { PositionRow } from "../../domain/Position.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import { mulDown, one7 } from "../kit/FixedPoint.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { tokenFacts } from "../kit/TokenFacts.ts"
import { allShares, type BackstopState } from "./Backstop.ts"
import { cometDust, type CometState } from "./Comet.ts"
import { poolHealth } from "./Health.ts"
import { borrowRate, utilisation } from "./Interest.ts"
import * as Keys from "./Keys.ts"
import type { PoolState, ReserveHolding } from "./Pool.ts"
import { claimName, unclaimed } from "./PoolClaim.ts"

/** A yearly rate with seven decimals as a percentage with two. */
const percent = (rate: bigint): string => showUnits(rate / 1_000n, 2)

const earned = ({ bstopRate, version }: PoolState, { config, data }: ReserveHolding): bigint =>
  mulDown(mulDown(borrowRate(version, config, data), utilisation(version, data), one7), one7 - BigInt(bstopRate), one7)

const rewardClause = (view: LedgerView, pool: PoolState): string | null => {
  const amount = unclaimed(pool)
  if (amount === 0n) return null
  const { decimals, symbol } = tokenFacts(view, pool.rewardToken)
  return `Rewards to claim in the pool as a whole: ${showUnits(amount, decimals ?? 7)} ${symbol ?? pool.rewardToken}.`
}

const poolRows = (view: LedgerView, pool: PoolState): ReadonlyArray<PositionRow> => {
  const detail = rewardClause(view, pool)
  const health = poolHealth(pool)
  const unweighed = health === null ? "The health of this debt is not known: the pool's oracle gives no fresh price." : null
  const common = { protocol: "lend_1", contractAddress: pool.address, wasmHash: pool.wasmHash, usdValue: null } as const
  const rows = pool.holdings.flatMap((holding): ReadonlyArray<PositionRow> => {
    const { asset, bCollateral, bSupply, collateral, config, data, dTokens, debt, supply } = holding
    const shown = { pool: pool.name, asset: tokenFacts(view, asset).symbol, detail }
    return [
      ...(bSupply + bCollateral > 0n
        ? [
          {
            ...common,
            positionType: "supply",
            assetAddress: asset,
            bTokenAmount: (bSupply + bCollateral).toString(),
            display: {
              ...shown,
              amount: showUnits(supply + collateral, config.decimals),
              collateralAmount: bCollateral > 0n ? showUnits(collateral, config.decimals) : null,
              yieldPct: percent(earned(pool, holding)),
              yieldKind: "earned"
            }
          } as const
        ]
        : []),
      ...(dTokens > 0n
        ? [
          {
            ...common,
            positionType: "borrow",
            assetAddress: asset,
            dTokenAmount: dTokens.toString(),
            ...(health === null ? {} : { healthFactor: showUnits(health, 7) }),
            display: {
              ...shown,
              detail: [unweighed, detail].filter((clause) => clause !== null).join(" ") || null,
              amount: showUnits(debt, config.decimals),
              collateralAmount: null,
              yieldPct: percent(borrowRate(pool.version, config, data)),
              yieldKind: "paid"
            }
          } as const
        ]
        : [])
    ]
  })
  if (rows.length > 0 || pool.rewards.length === 0) return rows
  // Nothing is left but rewards: a row of no supply in the reward token, so that they are seen, however little they are.
  const { decimals, symbol } = tokenFacts(view, pool.rewardToken)
  return [{
    ...common,
    positionType: "supply",
    assetAddress: pool.rewardToken,
    bTokenAmount: "0",
    display: {
      pool: pool.name,
      asset: symbol,
      amount: showUnits(0n, decimals ?? 7),
      collateralAmount: null,
      yieldPct: null,
      yieldKind: null,
      detail
    }
  }]
}

/** A pool as one position, or none: what is owed and what is held there are left together. */
export const poolPosition = (view: LedgerView, pool: PoolState): ReadonlyArray<HeldPosition> => {
  const rows = poolRows(view, pool)
  return rows.length === 0 ? [] : [{
    protocol: "lend_1",
    contract: pool.address,
    key: "reserves",
    rows,
    pays: pool.holdings.map(({ asset }) => asset),
    owes: pool.holdings.flatMap(({ asset, debt }) => (debt > 0n ? [{ token: asset, amount: debt }] : [])),
    givenUnder: null,
    rewards: pool.rewards.length === 0 ? [] : [{
      token: pool.rewardToken,
      amount: unclaimed(pool),
      hourly: pool.rewards.reduce((sum, one) => sum + one.hourly, 0n),
      claim: claimName
    }],
    pledged: pool.version === "poolV2"
      ? []
      : pool.holdings.flatMap(({ asset, collateral, debt }) => (collateral > 0n && debt > 0n ? [{ token: asset, amount: collateral }] : []))
  }]
}

const backstopClause = (view: LedgerView, { queue, reward, rewardToken }: BackstopState): string | null => {
  const queued = queue.map(({ amount, unlocksAt }) => `${showUnits(amount, 7)} shares unlock at ${showSecond(unlocksAt)}`)
  const { decimals, symbol } = tokenFacts(view, rewardToken)
  const claim = reward > 0n ? [`rewards to claim: ${showUnits(reward, decimals ?? 7)} ${symbol ?? rewardToken}`] : []
  const parts = [...queued, ...claim]
  return parts.length === 0 ? null : `${parts.join("; ")}.`
}

/** `claim`, `queue_withdrawal`, `withdraw`, and `exit_pool` of the comet pool. */
const claimedBy = 4n

/** What is shown of a deposit in a backstop. */
interface ShownDeposit {
  readonly backstop: BackstopState
  readonly comet: CometState
  /** As the pool calls itself; null: its address is shown. */
  readonly poolName: string | null
}

/** A deposit in the backstop of one pool, or none. In the first version a claim may deposit for someone else, so that others can give it. */
export const backstopPosition = (
  view: LedgerView,
  { backstop, comet, poolName }: ShownDeposit,
  user: AccountAddress
): ReadonlyArray<HeldPosition> => {
  const shares = allShares(backstop)
  if (shares === 0n && backstop.reward === 0n) return []
  const dust = cometDust(view, comet, backstop.tokens, shares)
  return [{
    protocol: "lend_1",
    contract: backstop.address,
    key: backstop.pool,
    rows: [{
      protocol: "lend_1",
      positionType: "supply",
      contractAddress: backstop.address,
      assetAddress: backstop.token,
      bTokenAmount: shares.toString(),
      isBackstop: true,
      wasmHash: backstop.wasmHash,
      usdValue: null,
      display: {
        pool: poolName ?? backstop.pool,
        asset: tokenFacts(view, backstop.token).symbol,
        amount: showUnits(backstop.tokens, tokenFacts(view, backstop.token).decimals ?? 7),
        collateralAmount: null,
        yieldPct: null,
        yieldKind: null,
        detail: backstopClause(view, backstop)
      }
    }],
    pays: [backstop.token, ...comet.tokens.map(({ token }) => token)],
    owes: [],
    rewards: backstop.reward === 0n
      ? []
      : [{ token: backstop.rewardToken, amount: backstop.reward, hourly: backstop.hourly, claim: claimName, calls: claimedBy }],
    givenUnder: backstop.version === "backstopV1"
      ? contractDataKey(backstop.address, Keys.userBalance(backstop.pool, user))
      : null,
    ...(shares === 0n || dust === null ? {} : { dust })
  }]
}

/** Shares of the comet pool in the wallet, or none. */
export const cometPosition = (view: LedgerView, comet: CometState, user: AccountAddress): ReadonlyArray<HeldPosition> => {
  if (comet.held === 0n) return []
  const { decimals, symbol } = tokenFacts(view, comet.address)
  const dust = cometDust(view, comet, comet.held)
  return [{
    protocol: "lend_1",
    contract: comet.address,
    key: "shares",
    rows: [{
      protocol: "lend_1",
      positionType: "other",
      contractAddress: comet.address,
      holds: [{ token: comet.address, symbol, amount: comet.held.toString() }],
      wasmHash: comet.wasmHash,
      usdValue: null,
      display: {
        pool: null,
        asset: symbol,
        amount: showUnits(comet.held, decimals ?? 7),
        collateralAmount: null,
        yieldPct: null,
        yieldKind: null,
        detail: "Backstop tokens in the wallet, out of the backstop."
      }
    }],
    pays: comet.tokens.map(({ token }) => token),
    owes: [],
    givenUnder: contractDataKey(comet.address, Keys.shareBalance(user)),
    ...(dust === null ? {} : { dust })
  }]
}

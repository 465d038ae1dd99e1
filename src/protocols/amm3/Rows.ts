import { showUnits } from "../../domain/Amount.ts"
import { showSecond } from "../../domain/Instant.ts"
import type { PositionRow } from "../../domain/Position.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { tokenFacts } from "../kit/TokenFacts.ts"
import * as Keys from "./Keys.ts"
import { dustIn, worthOf } from "./LeavePool.ts"
import type { PoolState } from "./Pool.ts"
import { claimName, type StakeReward } from "./Rewards.ts"

/** The only position there is in one pool. */
export const positionKey = "shares"

const nameOf = (view: LedgerView, token: StakeReward["token"]): string => tokenFacts(view, token).symbol ?? token

const shown = (view: LedgerView, { amount, token }: StakeReward): string =>
  `${showUnits(amount, tokenFacts(view, token).decimals ?? 7)} ${nameOf(view, token)}`

const worthClause = (view: LedgerView, pool: PoolState, shares: bigint): string => {
  const [a, b] = worthOf(pool, shares)
  return `Worth ${shown(view, { token: pool.tokens[0], amount: a })} and ${shown(view, { token: pool.tokens[1], amount: b })}`
}

/** What is due; empty where nothing is, or no one could say. */
const due = ({ staked }: PoolState): ReadonlyArray<StakeReward> => (staked?.rewards ?? []).filter(({ amount }) => amount > 0n)

const rewardClause = (view: LedgerView, pool: PoolState): string => {
  const rewards = due(pool)
  return rewards.length === 0
    ? ""
    : ` Rewards to withdraw for all stakes together: ${rewards.map((reward) => shown(view, reward)).join(", ")}.`
}

const rowsOf = (view: LedgerView, pool: PoolState): ReadonlyArray<PositionRow> => {
  const display = {
    pool: pool.contract.address,
    asset: pool.tokens.map((token) => nameOf(view, token)).join("/"),
    amount: null,
    collateralAmount: null,
    yieldPct: null,
    yieldKind: null
  } as const
  const lp = {
    protocol: "amm_3",
    positionType: "lp",
    contractAddress: pool.contract.address,
    wasmHash: pool.contract.wasmHash,
    usdValue: null,
    shareAmount: pool.shares.toString(),
    tokens: pool.tokens,
    display: { ...display, detail: `${worthClause(view, pool, pool.shares)}.` }
  } as const
  const { staked } = pool
  return [
    ...(pool.shares > 0n ? [lp] : []),
    ...(staked === null ? [] : staked.stakes.map(({ amount, since }) => ({
      protocol: "amm_3",
      positionType: "stake",
      contractAddress: staked.contract.address,
      wasmHash: staked.contract.wasmHash,
      usdValue: null,
      stakedAmount: amount.toString(),
      stakedAtEpoch: since.toString(),
      tokens: pool.tokens,
      display: {
        ...display,
        detail: `${worthClause(view, pool, amount)}, staked since ${showSecond(since)}.${rewardClause(view, pool)}`
      }
    } as const)))
  ]
}

/** A pool as one position: shares in the wallet, and every stake. Others can give shares, but no one can stake for another. */
export const poolPosition = (view: LedgerView, pool: PoolState): HeldPosition => {
  const { contract, shareContract, shareToken, staked, tokens, user } = pool
  const alongside = staked?.contract.kind === "pointsStake" ? { comesAlong: true } : {}
  const dust = dustIn(view, pool)
  const declared = [contract, shareContract, ...(staked === null ? [] : [staked.contract])].filter(({ byInterface }) => byInterface)
  return {
    protocol: "amm_3",
    contract: contract.address,
    key: positionKey,
    rows: rowsOf(view, pool),
    pays: tokens,
    shareToken,
    owes: [],
    rewards: due(pool).map((reward) => ({ ...reward, claim: claimName, ...alongside })),
    ...(staked !== null && staked.rewards === null ? { rewardsUnread: true } : {}),
    givenUnder: pool.bonded === "now" ? null : contractDataKey(shareToken, Keys.shareBalance(user)),
    ...(pool.bonded === "before" ? { openedBefore: true } : {}),
    ...(dust === null ? {} : { dust }),
    ...(declared.length === 0 ? {} : { knownByInterface: declared.map(({ address }) => address) })
  }
}

import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { showUnits } from "../../domain/Amount.ts"
import type { PositionRow } from "../../domain/Position.ts"
import type { GatedContract } from "../CodeGate.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { tokenFacts } from "../kit/TokenFacts.ts"
import * as Keys from "./Keys.ts"
import type { HeldRange, RangePoolState } from "./RangePool.ts"
import { claimNames, owedOf, type PoolRewards } from "./Rewards.ts"
import type { SharePoolState } from "./SharePool.ts"

interface Part {
  readonly token: ContractAddress
  readonly amount: bigint
}

const nameOf = (view: LedgerView, token: ContractAddress): string => tokenFacts(view, token).symbol ?? token

const shown = (view: LedgerView, { amount, token }: Part): string =>
  `${showUnits(amount, tokenFacts(view, token).decimals ?? 0)} ${nameOf(view, token)}`

const pairOf = (view: LedgerView, tokens: ReadonlyArray<ContractAddress>): string => tokens.map((token) => nameOf(view, token)).join("/")

const rewardClauses = (view: LedgerView, rewards: PoolRewards): ReadonlyArray<string> => {
  const owed = owedOf(rewards).map((one) => shown(view, one))
  return [
    ...(owed.length === 0 ? [] : [`Rewards to claim in the pool as a whole: ${owed.join(", ")}.`]),
    ...(rewards.unread ? ["Other rewards could not be read."] : [])
  ]
}

/** What all rows of a pool say alike. */
const common = (view: LedgerView, pool: GatedContract<string>, tokens: ReadonlyArray<ContractAddress>) => ({
  row: {
    protocol: "amm_1",
    positionType: "lp",
    contractAddress: pool.address,
    wasmHash: pool.wasmHash,
    usdValue: null,
    tokens
  } as const,
  display: {
    pool: pairOf(view, tokens),
    asset: pairOf(view, tokens),
    amount: null,
    collateralAmount: null,
    yieldPct: null,
    yieldKind: null
  }
})

const rewardAmount = ({ own, unread }: PoolRewards) => (unread && own === null ? {} : { claimableRewardAmount: `${own?.amount ?? 0n}` })

/** What is the same of every position of this protocol. */
const position = (
  pool: GatedContract<string>,
  rewards: PoolRewards,
  tokens: ReadonlyArray<ContractAddress>,
  below: ReadonlyArray<GatedContract<string>>
) => {
  const earned = owedOf(rewards)
  const known = [pool, ...below].filter(({ byInterface }) => byInterface).map(({ address }) => address)
  return {
    protocol: "amm_1",
    contract: pool.address,
    pays: tokens,
    owes: [],
    ...(earned.length === 0 ? {} : { rewards: earned }),
    ...(rewards.unread ? { rewardsUnread: true } : {}),
    ...(known.length === 0 ? {} : { knownByInterface: known })
  } as const
}

/** The functions that claim, of listed code: they move no shares, unless these are themselves what is paid. */
const claimedBy = ({ pool: { byInterface }, rewards: { gauges, own }, shareToken }: SharePoolState): ReadonlyArray<string> =>
  byInterface || own?.token === shareToken.address || gauges.some(({ token }) => token === shareToken.address)
    ? []
    : Object.values(claimNames)

/** Shares of a pool, with what they are worth and have earned. */
export const sharePosition = (view: LedgerView, state: SharePoolState, user: AccountAddress): HeldPosition => {
  const { facts, parts, pool, rewards, shares, shareToken } = state
  const tokens = parts.map(({ token }) => token)
  const { display, row } = common(view, pool, tokens)
  const worth = parts.map((part) => shown(view, part)).join(" and ")
  return {
    ...position(pool, rewards, tokens, [shareToken]),
    key: "shares",
    rows: [{
      ...row,
      shareAmount: shares.toString(),
      shareToken: facts.shareToken,
      poolType: facts.type,
      ...rewardAmount(rewards),
      display: { ...display, detail: [`Worth ${worth}.`, ...rewardClauses(view, rewards)].join(" ") }
    }],
    shareToken: facts.shareToken,
    claimedBy: claimedBy(state),
    givenUnder: shares === 0n ? null : Keys.balanceKey(facts.shareToken, user)
  }
}

const rangeClause = (view: LedgerView, tokens: ReadonlyArray<ContractAddress>, { fees, principal, range }: HeldRange): string => {
  const both = (amounts: HeldRange["fees"]) =>
    tokens.map((token, index) => shown(view, { token, amount: amounts[index] ?? 0n })).join(" and ")
  return `From tick ${range.lower} to ${range.upper}, worth ${both(principal)}, with fees of ${both(fees)}.`
}

/** Every range of a pool, a row each; what has been earned is shown with the first. */
export const rangePosition = (view: LedgerView, { pool, ranges, rewards, tokens }: RangePoolState): HeldPosition => {
  const { display, row } = common(view, pool, tokens)
  const rowOf = (liquidity: bigint, detail: ReadonlyArray<string>, isFirst: boolean): PositionRow => ({
    ...row,
    shareAmount: liquidity.toString(),
    poolType: "concentrated",
    ...(isFirst ? rewardAmount(rewards) : {}),
    display: { ...display, detail: [...detail, ...(isFirst ? rewardClauses(view, rewards) : [])].join(" ") }
  })
  const rows = ranges.map((held, index) => rowOf(held.liquidity, [rangeClause(view, tokens, held)], index === 0))
  return {
    ...position(pool, rewards, tokens, []),
    key: "ranges",
    givenUnder: null,
    rows: rows.length === 0 ? [rowOf(0n, ["No liquidity is left here."], true)] : rows
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { contract, u256 } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import { allAnswered, type LedgerView, required, requiredInInstance, type Unusable, valueIn } from "../kit/LedgerView.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import type { Codes } from "./Code.ts"
import * as Entries from "./Entries.ts"
import type { RangePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { amountsOf, feesSince, type Growth, type Pair, placeOf, type Range } from "./RangeMath.ts"
import { owedOf, type PoolRewards, rewardQuestions, rewardsOf } from "./Rewards.ts"

/** Liquidity of a user in one range; base units in the pool's order. */
export interface HeldRange {
  readonly range: Range
  readonly liquidity: bigint
  /** What the liquidity is made of at the present price. */
  readonly principal: Pair
  /** Fees that have been earned and not been paid. */
  readonly fees: Pair
}

/** What a user has in a concentrated pool. */
export interface RangePoolState {
  readonly facts: RangePoolFacts
  readonly pool: GatedContract<"concentratedPool">
  readonly tokens: readonly [ContractAddress, ContractAddress]
  /** In the pool's order; none where only rewards are left. */
  readonly ranges: ReadonlyArray<HeldRange>
  readonly rewards: PoolRewards
}

/** The ranges a user has liquidity in; null: there never were any. */
export const rangesIn = (
  view: LedgerView,
  { contract: pool }: RangePoolFacts,
  user: AccountAddress
): Either.Either<ReadonlyArray<Range> | null, Unusable> =>
  Either.map(valueIn(view, pool, Keys.userRanges(user), Entries.UserRanges), (found) => found?.positions ?? null)

const chunksOf = (ranges: ReadonlyArray<Range>, spacing: number): ReadonlyArray<number> => [
  ...new Set(ranges.flatMap(({ lower, upper }) => [placeOf(lower, spacing).chunk, placeOf(upper, spacing).chunk]))
]

/** Queries sent once the ranges in which something is held are known, all in one round. */
const questionsOf = (facts: RangePoolFacts, user: AccountAddress, ranges: ReadonlyArray<Range>) => {
  const { beside, contract: pool, tickSpacing, tokens } = facts
  const own: ReadonlyArray<xdr.ScVal> = [
    ...ranges.map((range) => Keys.position(user, range)),
    ...chunksOf(ranges, tickSpacing).map(Keys.tickChunk)
  ]
  return [
    instanceKey(pool),
    ...own.map((key) => contractDataKey(pool, key)),
    ...rewardQuestions(facts, user),
    ...[...tokens, ...beside].map(tokenFactsKey)
  ]
}

/** How a pool stands: its price, and what a unit of liquidity has earned in all. */
const standingOf = ({ address, instance }: GatedContract<string>) =>
  Either.gen(function*() {
    const inIt = <A>(key: xdr.ScVal, codec: Parameters<typeof requiredInInstance<A>>[3]) =>
      requiredInInstance(address, instance, key, codec)
    const { sqrt_price_x96, tick } = yield* inIt(Keys.Instance.slot0, Entries.Slot0)
    const all: Pair = [yield* inIt(Keys.Instance.growth0, u256), yield* inIt(Keys.Instance.growth1, u256)]
    const spacing = yield* inIt(Keys.Instance.tickSpacing, Entries.tickSpacing)
    const tokens = [yield* inIt(Keys.Instance.token0, contract), yield* inIt(Keys.Instance.token1, contract)] as const
    return { price: sqrt_price_x96, tick, all, spacing, tokens }
  })

/** Fees on the far side of a tick; none where it was never used. */
const growthAt = (view: LedgerView, pool: ContractAddress, tick: number, spacing: number): Either.Either<Pair, Unusable> => {
  const { at, chunk } = placeOf(tick, spacing)
  return Either.map(valueIn(view, pool, Keys.tickChunk(chunk), Entries.TickChunk), (ticks): Pair => {
    const [first, second] = ticks?.[at] ?? [0n, 0n]
    return [first, second]
  })
}

interface RangePrice {
  readonly price: bigint
  readonly tick: number
  readonly all: Pair
  readonly spacing: number
}

const heldIn = (
  view: LedgerView,
  pool: ContractAddress,
  [user, range]: readonly [AccountAddress, Range],
  { all, price, spacing, tick }: RangePrice
): Either.Either<HeldRange, Unusable> =>
  Either.gen(function*() {
    const held = yield* required(view, pool, Keys.position(user, range), Entries.Position)
    const growth: Growth = {
      all,
      lower: yield* growthAt(view, pool, range.lower, spacing),
      upper: yield* growthAt(view, pool, range.upper, spacing)
    }
    const mark: Pair = [held.fee_growth_inside_0_last_x128, held.fee_growth_inside_1_last_x128]
    const [first, second] = feesSince(mark, held.liquidity, range, { growth, tick })
    return {
      range,
      liquidity: held.liquidity,
      principal: amountsOf(price, range, held.liquidity),
      fees: [held.tokens_owed_0 + first, held.tokens_owed_1 + second]
    }
  })

/** What a user has in a pool, once it is known that something was held there; null: nothing any more. */
export const rangePoolState = (
  view: LedgerView,
  facts: RangePoolFacts,
  user: AccountAddress,
  codes: Codes
): Either.Either<RangePoolState | null, GateFailure> =>
  Either.gen(function*() {
    const ranges = yield* rangesIn(view, facts, user)
    if (ranges === null) return null
    yield* allAnswered(view, questionsOf(facts, user, ranges))
    const pool = yield* gate(view, facts.contract, codes.concentratedPool.known, codes.concentratedPool.declared)
    const standing = yield* standingOf(pool)
    const held = yield* Either.all(ranges.map((range) => heldIn(view, pool.address, [user, range], standing)))
    const rewards = yield* rewardsOf(view, { gated: pool, user, claimKilled: Keys.Instance.rangesClaimKilled }, codes.rewardsGauge)
    const isEmpty = held.length === 0 && owedOf(rewards).length === 0 && !rewards.unread
    return isEmpty ? null : { facts, pool, tokens: standing.tokens, ranges: held, rewards }
  })

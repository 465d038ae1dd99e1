import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { account } from "../../stellar/ScValCodec.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import { atTwoOrigins, largerOfEach } from "../kit/LargerAnswer.ts"
import { getterValue, type LedgerView, required, type Unusable, valueIn } from "../kit/LedgerView.ts"
import type { Question, TwoOriginGetter } from "../kit/Question.ts"
import type { StakeKind } from "./Code.ts"
import * as Entries from "./Entries.ts"
import type { Adjustment, Bonding, History } from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { sixtieths } from "./Payout.ts"

const day = 86_400n

/** Days after which a stake earns in full. */
const fullAge = 60n

/** Whole days a stake has stood at a time, as far as they count. */
const ageAt = (time: bigint, since: bigint): bigint => {
  const days = time > since ? (time - since) / day : 0n
  return days > fullAge ? fullAge : days
}

/**
 * What a stake contract would pay of one token at a time (Unix seconds), base units: of every distribution since rewards were last
 * withdrawn each stake has its part of all that was bonded then, a sixtieth of it for every whole day of its age up to sixty. Every
 * one of these is rounded down by itself.
 */
export const historyReward = ({ last_reward_time, stakes }: Bonding, rewards: History, totals: History, now: bigint): bigint => {
  const bonded = new Map(totals)
  let sum = 0n
  for (const [time, paid] of rewards) {
    const total = bonded.get(time) ?? 0n
    if (time <= last_reward_time || time > now || total === 0n) continue
    for (const { stake, stake_timestamp } of stakes) sum += sixtieths(mulDown(stake, paid, total), ageAt(time, stake_timestamp))
  }
  return sum
}

/** Shares that make a point. */
const sharesAPoint = 1_000n

/** What a point earned is kept times two to this power. */
const shift = 32n

/** What an account has bonded, and the least that counts; base units. */
interface BondedPoints {
  readonly total: bigint
  readonly least: bigint
}

/** What a stake contract would pay of one token, base units: what points earned since they were there, less what was withdrawn. Null: the figures cannot be. */
export const pointReward = (perPoint: bigint, { least, total }: BondedPoints, adjustment: Adjustment | null): bigint | null => {
  const points = total < least ? 0n : total / sharesAPoint
  const earned = (perPoint * points + (adjustment?.shares_correction ?? 0n)) >> shift
  const left = earned - (adjustment?.withdrawn_rewards ?? 0n)
  return left < 0n ? null : left
}

/** The function of a stake that pays all rewards. */
export const claimName = "withdraw_rewards"

/** What a stake owes of one token, base units. */
export interface StakeReward {
  readonly token: ContractAddress
  readonly amount: bigint
}

/** Someone's stakes in one contract, with all tokens it pays. */
export interface AccountStake {
  readonly contract: ContractAddress
  readonly kind: StakeKind
  readonly user: AccountAddress
  readonly bonding: Entries.Bonding
  readonly tokens: ReadonlyArray<ContractAddress>
}

/** What the rewards of either listed kind are computed from: asked together, before it is known which kind it is. */
export const rewardKeys = (
  stake: ContractAddress,
  user: AccountAddress,
  tokens: ReadonlyArray<ContractAddress>
): ReadonlyArray<Question> => [
  contractDataKey(stake, Keys.totalStakedHistory),
  ...tokens.flatMap((token) =>
    [Keys.rewardHistory(token), Keys.distribution(token), Keys.adjustment(token, user)].map((key) => contractDataKey(stake, key))
  )
]

const fromHistory = (view: LedgerView, { bonding, contract, tokens }: AccountStake): Either.Either<ReadonlyArray<StakeReward>, Unusable> =>
  Either.gen(function*() {
    const totals = yield* required(view, contract, Keys.totalStakedHistory, Entries.History)
    // A node may leave archived entries out: what was paid in was paid in some token.
    if (tokens.length === 0 && totals.length > 0) {
      const key = contractDataKey(contract, Keys.rewardTokens)
      return yield* Either.left<Unusable>({ _tag: "Undecodable", key, reason: "rewards were paid in, and no token is named" })
    }
    const rewards: Array<StakeReward> = []
    for (const token of tokens) {
      const history = yield* required(view, contract, Keys.rewardHistory(token), Entries.History)
      rewards.push({ token, amount: historyReward(bonding, history, totals, view.closeTime) })
    }
    return rewards
  })

const fromPoints = (
  view: LedgerView,
  { bonding, contract, tokens, user }: AccountStake,
  least: bigint
): Either.Either<ReadonlyArray<StakeReward>, Unusable> =>
  Either.gen(function*() {
    const rewards: Array<StakeReward> = []
    for (const token of tokens) {
      const { shares_per_point } = yield* required(view, contract, Keys.distribution(token), Entries.Distribution)
      const adjustment = yield* valueIn(view, contract, Keys.adjustment(token, user), Entries.Adjustment)
      const amount = pointReward(shares_per_point, { total: bonding.total_stake, least }, adjustment)
      if (amount === null) {
        return yield* Either.left<Unusable>({
          _tag: "Undecodable",
          key: contractDataKey(contract, Keys.adjustment(token, user)),
          reason: "more was withdrawn than was earned"
        })
      }
      rewards.push({ token, amount })
    }
    return rewards
  })

const moreOfEach = largerOfEach<Entries.WithdrawableReward>(({ reward_address }) => reward_address, ({ reward_amount }) => reward_amount)

/** Queries a stake for the rewards it would pay. Used only where no file lists its code. */
const withdrawable = (contract: ContractAddress, user: AccountAddress): TwoOriginGetter =>
  atTwoOrigins(
    { contract, function: "query_withdrawable_rewards", args: [account.encode(user)] },
    Entries.Withdrawable,
    (one, other) => ({ rewards: moreOfEach(one.rewards, other.rewards) })
  )

/**
 * What stakes have earned up to the ledger that was read, one a token, nothing included. Null: only the contract knows, and did not say.
 * `least`: shares that count at all.
 */
export const rewardsOf = (
  view: LedgerView,
  staked: AccountStake,
  least: bigint
): Either.Either<ReadonlyArray<StakeReward> | null, Unusable> => {
  switch (staked.kind) {
    case "historyStake":
      return fromHistory(view, staked)
    case "pointsStake":
      return fromPoints(view, staked, least)
    case "stake":
      return Either.map(
        getterValue(view, withdrawable(staked.contract, staked.user), Entries.Withdrawable),
        (told) => told?.rewards.map(({ reward_address, reward_amount }) => ({ token: reward_address, amount: reward_amount })) ?? null
      )
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big, Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { account, bool, contract, type ScValCodec, u128 } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import type { Reward } from "../HeldPosition.ts"
import { atTwoOrigins, largerOfEach } from "../kit/LargerAnswer.ts"
import { getterValue, inInstance, type LedgerView, type OpenQuestions, type Unusable, valueIn } from "../kit/LedgerView.ts"
import type { Question } from "../kit/Question.ts"
import type { CodeOf } from "./Code.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

/** A contract that pays further rewards for shares of a pool. */
export interface Gauge {
  readonly gauge: ContractAddress
  readonly token: ContractAddress
}

/** What a pool and its gauges owe a user. */
export interface PoolRewards {
  /** Of the pool itself; null: it gives none. */
  readonly own: Reward | null
  /** Of its gauges, one a gauge that gives or gave something. The amount may be nothing yet, as of the pool itself. */
  readonly ofGauges: ReadonlyArray<Reward>
  readonly gauges: ReadonlyArray<Gauge>
  /** Something that only a getter knows was not told. */
  readonly unread: boolean
}

/** What is owed now. */
export const owedOf = ({ ofGauges, own }: PoolRewards): ReadonlyArray<Reward> =>
  [...(own === null ? [] : [own]), ...ofGauges].filter(({ amount }) => amount > 0n)

/** An hour, seconds. */
const hour = 3_600n

/** The functions that claim: a pool's own rewards, and those of all its gauges at once. */
export const claimNames = { own: "claim", ofGauges: "gauges_claim" } as const

const claimsOff = "The pool's administrators have switched off claims of its rewards. They stay there until claims are switched on again."
const gaugesOff =
  "The pool's administrators have switched off claims of the rewards of its gauges. They stay there until claims are switched on again."
const gaugesUntold = "The pool did not report what all of its gauges owe, and they can only be claimed together."
const gaugeUnknown = (gauge: ContractAddress): string =>
  `The gauge ${gauge} pays rewards of the pool and runs code that this service does not know, so nothing is claimed from it.`

const ownReward = (pool: ContractAddress, user: AccountAddress): Getter => ({
  contract: pool,
  function: "get_user_reward",
  args: [account.encode(user)]
})

const gaugeRewards = (pool: ContractAddress, user: AccountAddress): Getter => ({
  contract: pool,
  function: "gauges_get_reward_info",
  args: [account.encode(user)]
})

/** What a pool says of its own rewards, by who vouches for its code. */
const askedOwn = ({ gated: { address, byInterface }, user }: RewardingPool): Getter => {
  const getter = ownReward(address, user)
  return byInterface ? atTwoOrigins(getter, u128, Big.max) : getter
}

const moreOfEach = largerOfEach<Entries.GaugeInfo>(([token]) => token, ([, { user_reward }]) => user_reward)

/** The same of the rewards of its gauges. */
const askedOfGauges = ({ gated: { address, byInterface }, user }: RewardingPool): Getter => {
  const getter = gaugeRewards(address, user)
  return byInterface ? atTwoOrigins(getter, Entries.GaugesInfo, moreOfEach) : getter
}

/**
 * Queries about rewards, sent as soon as a holding is known. Gauges are queried only if the pool had any when it was found, because each
 * such query is a call.
 */
export const rewardQuestions = (
  { contract: pool, hasGauges }: { readonly contract: ContractAddress; readonly hasGauges: boolean },
  user: AccountAddress
): ReadonlyArray<Question> => [
  ownReward(pool, user),
  ...(hasGauges ? [gaugeRewards(pool, user)] : []),
  contractDataKey(pool, Keys.workingBalance(user))
]

/** A pool whose rewards are read. */
export interface RewardingPool {
  readonly gated: Pick<GatedContract<string>, "address" | "byInterface" | "instance">
  readonly user: AccountAddress
  /** Where the pool keeps that claims are switched off. */
  readonly claimKilled: xdr.ScVal
}

/** What comes in within so many seconds, base units: the user's part of what is given a second. */
type Coming = (seconds: bigint, rate: { readonly tps: bigint; readonly expired_at: bigint }) => bigint

const comingAt = (now: bigint, held: bigint, all: bigint): Coming => (seconds, { expired_at, tps }) => {
  const left = expired_at - now
  return left <= 0n || all === 0n || tps <= 0n ? 0n : (tps * Big.min(left, seconds) * held) / all
}

/** What a pool keeps of its rewards for everyone. */
const settingsOf = ({ claimKilled, gated: { address, instance } }: RewardingPool) =>
  Either.gen(function*() {
    const found = <A>(key: xdr.ScVal, codec: ScValCodec<A>) => inInstance(address, instance, key, codec)
    const gauges = yield* found(Keys.Instance.gauges, Entries.Gauges)
    return {
      token: yield* found(Keys.Instance.rewardToken, contract),
      config: yield* found(Keys.Instance.rewardConfig, Entries.RewardConfig),
      data: yield* found(Keys.Instance.rewardData, Entries.RewardData),
      supply: (yield* found(Keys.Instance.workingSupply, u128)) ?? 0n,
      isOff: (yield* found(claimKilled, bool)) ?? false,
      areOff: (yield* found(Keys.Instance.gaugesKilled, bool)) ?? false,
      gauges: (gauges ?? []).map(([token, gauge]): Gauge => ({ token, gauge }))
    }
  })

type Settings = Either.Either.Right<ReturnType<typeof settingsOf>>

/** The pool's own rewards; null: nothing. A pool that never gave any is not asked. */
const ownOf = (
  view: LedgerView,
  rewarding: RewardingPool,
  { config, data, isOff, token }: Settings,
  coming: Coming
): Either.Either<Pick<PoolRewards, "own" | "unread">, OpenQuestions> => {
  if (token === null || (config === null && data === null)) return Either.right({ own: null, unread: false })
  return Either.map(getterValue(view, askedOwn(rewarding), u128), (amount) => ({
    unread: amount === null,
    own: amount === null ? null : {
      token,
      amount,
      claim: claimNames.own,
      hourly: config === null ? 0n : coming(hour, config),
      ...(isOff ? { heldUp: claimsOff } : {})
    }
  }))
}

/** What the gauges of a pool owe. They are claimed together, or not at all. */
const ofGaugesOf = (
  view: LedgerView,
  rewarding: RewardingPool,
  { areOff, gauges }: Settings,
  { code, coming }: { readonly code: CodeOf<"rewardsGauge">; readonly coming: Coming }
): Either.Either<Pick<PoolRewards, "ofGauges" | "unread">, OpenQuestions> =>
  Either.gen(function*() {
    if (gauges.length === 0) return { ofGauges: [], unread: false }
    const told = (yield* getterValue(view, askedOfGauges(rewarding), Entries.GaugesInfo)) ?? []
    const owes = told.some(([, { user_reward }]) => user_reward > 0n)
    const stranger = areOff ? null : yield* strangerAmong(view, owes ? gauges : [], code)
    const unread = gauges.some(({ token }) => !told.some(([one]) => one === token))
    const heldUp = areOff ? gaugesOff : stranger ?? (unread ? gaugesUntold : null)
    return {
      unread,
      ofGauges: told.map(([token, info]) => ({
        token,
        amount: info.user_reward,
        claim: claimNames.ofGauges,
        hourly: coming(hour, info),
        ...(heldUp === null ? {} : { heldUp })
      }))
    }
  })

/** What a pool owes, once everything about it is read. What is paused in one place holds up nothing in another. */
export const rewardsOf = (
  view: LedgerView,
  rewarding: RewardingPool,
  code: CodeOf<"rewardsGauge">
): Either.Either<PoolRewards, Unusable> =>
  Either.gen(function*() {
    const settings = yield* settingsOf(rewarding)
    const working = (yield* valueIn(view, rewarding.gated.address, Keys.workingBalance(rewarding.user), u128)) ?? 0n
    const coming = comingAt(view.closeTime, working, settings.supply)
    const own = yield* ownOf(view, rewarding, settings, coming)
    const ofGauges = yield* ofGaugesOf(view, rewarding, settings, { code, coming })
    return { ...own, ...ofGauges, gauges: settings.gauges, unread: own.unread || ofGauges.unread }
  })

/** Why nothing is claimed of gauges of which one runs unknown code; null: none does. They are claimed together, or not at all. */
const strangerAmong = (
  view: LedgerView,
  gauges: ReadonlyArray<Gauge>,
  { declared, known }: CodeOf<"rewardsGauge">
): Either.Either<string | null, OpenQuestions> => {
  const read = gauges.map(({ gauge }) => ({ gauge, gated: gate(view, gauge, known, declared) }))
  const questions = read.flatMap(({ gated }) => (Either.isLeft(gated) && isUnread(gated.left) ? gated.left.questions : []))
  if (questions.length > 0) return Either.left({ _tag: "Unread", questions })
  const stranger = read.find(({ gated }) => Either.isLeft(gated))
  return Either.right(stranger === undefined ? null : gaugeUnknown(stranger.gauge))
}

const isUnread = (failure: GateFailure): failure is OpenQuestions => failure._tag === "Unread"

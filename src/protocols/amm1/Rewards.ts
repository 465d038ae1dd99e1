import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { account, bool, contract, type ScValCodec, u128 } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import type { Reward } from "../HeldPosition.ts"
import { inInstance, type LedgerView, toldIn, type Unread, type Unusable, valueIn } from "../kit/LedgerView.ts"
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
  /** Of the pool itself; null: nothing. */
  readonly own: Reward | null
  /** Of its gauges; only those that owe something. */
  readonly ofGauges: ReadonlyArray<Reward>
  readonly gauges: ReadonlyArray<Gauge>
  /** Something that only a getter knows was not told. */
  readonly unread: boolean
}

/** A hundredth of a token of seven decimals: less than the fees of the transaction that would claim it. */
const speck = 100_000n

/** How long a close may go on between one step and the next, seconds: several signers have half an hour for each. */
const closeWindow = 3_600n

/** Too little, or no more than what comes in until the next step, which would be there again after the claim. */
const isDust = (amount: bigint, soon: bigint): boolean => amount <= speck || amount <= soon

const claimsOff = "The pool's administrators have switched off claims of its rewards. They stay where they are until that is over."
const gaugesOff =
  "The pool's administrators have switched off claims of the rewards of its gauges. They stay where they are until that is over."
const gaugeUnknown = (gauge: ContractAddress): string =>
  `The gauge ${gauge} pays rewards of the pool and runs code that is not known here, so nothing is claimed of it.`

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

/** What is asked about rewards as soon as it is known that something is held. Of a pool that had no gauges when it was found they are not asked: each question is a call. */
export const rewardQuestions = (
  { contract: pool, hasGauges }: { readonly contract: ContractAddress; readonly hasGauges: boolean },
  user: AccountAddress
): ReadonlyArray<Question> => [
  ownReward(pool, user),
  ...(hasGauges ? [gaugeRewards(pool, user)] : []),
  contractDataKey(pool, Keys.workingBalance(user))
]

/** A pool whose rewards are read. */
export interface Rewarding {
  readonly gated: Pick<GatedContract<string>, "address" | "instance">
  readonly user: AccountAddress
  /** Where the pool keeps that claims are switched off. */
  readonly claimKilled: xdr.ScVal
}

/** What comes in while a close goes on, base units: the user's part of what is given a second. */
const comingIn = (tps: bigint, until: bigint, now: bigint, [held, all]: readonly [bigint, bigint]): bigint =>
  until <= now || all === 0n ? 0n : (tps * closeWindow * held) / all

/** What a pool keeps of its rewards for everybody. */
const settingsOf = ({ claimKilled, gated: { address, instance } }: Rewarding) =>
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

/** What comes in while a close goes on, at so many base units a second until a time. */
type Coming = (tps: bigint, until: bigint) => bigint

/** The pool's own rewards; null: nothing. A pool that never gave any is not asked. */
const ownOf = (
  view: LedgerView,
  { gated: { address }, user }: Rewarding,
  { config, data, isOff, token }: Settings,
  coming: Coming
): Either.Either<Pick<PoolRewards, "own" | "unread">, Unread> => {
  if (token === null || (config === null && data === null)) return Either.right({ own: null, unread: false })
  return Either.map(toldIn(view, ownReward(address, user), u128), (amount) => ({
    unread: amount === null,
    own: amount === null || amount === 0n ? null : {
      token,
      amount,
      dust: isDust(amount, config === null ? 0n : coming(config.tps, config.expired_at)),
      ...(isOff ? { heldUp: claimsOff } : {})
    }
  }))
}

/** What the gauges of a pool owe. They are claimed together, or not at all. */
const ofGaugesOf = (
  view: LedgerView,
  { gated: { address }, user }: Rewarding,
  { areOff, gauges }: Settings,
  { code, coming }: { readonly code: CodeOf<"rewardsGauge">; readonly coming: Coming }
): Either.Either<Pick<PoolRewards, "ofGauges" | "unread">, Unread> =>
  Either.gen(function*() {
    if (gauges.length === 0) return { ofGauges: [], unread: false }
    const told = (yield* toldIn(view, gaugeRewards(address, user), Entries.GaugesInfo)) ?? []
    const owing = told.filter(([, { user_reward }]) => user_reward > 0n)
    const heldUp = areOff ? gaugesOff : yield* strangerAmong(view, owing.length === 0 ? [] : gauges, code)
    return {
      unread: gauges.some(({ token }) => !told.some(([one]) => one === token)),
      ofGauges: owing.map(([token, { expired_at, tps, user_reward }]): Reward => ({
        token,
        amount: user_reward,
        dust: isDust(user_reward, coming(tps, expired_at)),
        ...(heldUp === null ? {} : { heldUp })
      }))
    }
  })

/** What a pool owes, once everything about it is read. What is paused in one place holds up nothing in another. */
export const rewardsOf = (
  view: LedgerView,
  rewarding: Rewarding,
  code: CodeOf<"rewardsGauge">
): Either.Either<PoolRewards, Unusable> =>
  Either.gen(function*() {
    const settings = yield* settingsOf(rewarding)
    const working = (yield* valueIn(view, rewarding.gated.address, Keys.workingBalance(rewarding.user), u128)) ?? 0n
    const coming: Coming = (tps, until) => comingIn(tps, until, view.closeTime, [working, settings.supply])
    const own = yield* ownOf(view, rewarding, settings, coming)
    const ofGauges = yield* ofGaugesOf(view, rewarding, settings, { code, coming })
    return { ...own, ...ofGauges, gauges: settings.gauges, unread: own.unread || ofGauges.unread }
  })

/** Why nothing is claimed of gauges of which one runs unknown code; null: none does. They are claimed together, or not at all. */
const strangerAmong = (
  view: LedgerView,
  gauges: ReadonlyArray<Gauge>,
  { declared, known }: CodeOf<"rewardsGauge">
): Either.Either<string | null, Unread> => {
  const read = gauges.map(({ gauge }) => ({ gauge, gated: gate(view, gauge, known, declared) }))
  const questions = read.flatMap(({ gated }) => (Either.isLeft(gated) && isUnread(gated.left) ? gated.left.questions : []))
  if (questions.length > 0) return Either.left({ _tag: "Unread", questions })
  const stranger = read.find(({ gated }) => Either.isLeft(gated))
  return Either.right(stranger === undefined ? null : gaugeUnknown(stranger.gauge))
}

const isUnread = (failure: GateFailure): failure is Unread => failure._tag === "Unread"

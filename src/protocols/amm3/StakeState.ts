import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import { allAnswered, type LedgerView, required, type Unusable, valueIn } from "../kit/LedgerView.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import type { PoolCode, StakeKind } from "./Code.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { rewardKeys, rewardsOf, type StakeReward } from "./Rewards.ts"

/** Shares that were bonded at one time: base units, Unix seconds, both exactly as stored. */
export interface Stake {
  readonly amount: bigint
  readonly since: bigint
}

/** What someone has bonded in the stake of a pool. */
export interface StakeState {
  readonly contract: GatedContract<StakeKind>
  readonly stakes: readonly [Stake, ...ReadonlyArray<Stake>]
  /** Every token the stake pays, whether or not anything is due of it. */
  readonly tokens: ReadonlyArray<ContractAddress>
  /** Every token the stake pays, with what is due of it; null: only the contract knows, and did not say. */
  readonly rewards: ReadonlyArray<StakeReward> | null
}

/** A stake contract, whose stakes in it are read, and of which shares. */
export interface StakeOf {
  readonly stake: ContractAddress
  readonly shareToken: ContractAddress
  readonly user: AccountAddress
}

/** What someone has bonded, in code that is known; null: nothing. */
export const stakeState = (
  view: LedgerView,
  { declared, stake: known }: PoolCode,
  bonding: Entries.Bonding,
  { shareToken, stake, user }: StakeOf
): Either.Either<StakeState | null, GateFailure> =>
  Either.gen(function*() {
    const [first, ...others] = bonding.stakes.map((one): Stake => ({ amount: one.stake, since: one.stake_timestamp }))
    if (first === undefined) return null
    const contract = yield* gate(view, stake, known, declared.stake)
    const { kind } = contract
    const { lp_token, min_bond } = yield* required(view, stake, Keys.settings, Entries.StakeSettings)
    if (lp_token !== shareToken) {
      const key = contractDataKey(stake, Keys.settings)
      return yield* Either.left<Unusable>({ _tag: "Undecodable", key, reason: "it holds shares of another pool" })
    }
    const tokens = (yield* valueIn(view, stake, Keys.rewardTokens, Entries.Contracts)) ?? []
    // A token may have been added since the pool was found.
    yield* allAnswered(view, [...rewardKeys(stake, user, tokens).filter(() => kind !== "stake"), ...tokens.map(tokenFactsKey)])
    const rewards = yield* rewardsOf(view, { contract: stake, kind, user, bonding, tokens }, min_bond)
    return { contract, stakes: [first, ...others], tokens, rewards }
  })

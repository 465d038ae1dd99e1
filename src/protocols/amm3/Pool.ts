import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { gate } from "../CodeGate.ts"
import type { GatedContract, GateFailure } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { allRead, present, required, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import { unreadBy } from "../kit/Unread.ts"
import type { PoolCode, PoolKind, StakeKind } from "./Code.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { keptIn, keptUnder, partsIn } from "./PoolParts.ts"
import type { PoolParts } from "./PoolParts.ts"
import { rewardKeys, rewardsOf } from "./Rewards.ts"
import type { StakeReward } from "./Rewards.ts"

/** What is known of a pool before an account's entries are read. */
export interface PoolFacts {
  readonly contract: ContractAddress
  /** Null: what it says of itself could not be made out, so that it must be read for every account. */
  readonly parts: PoolParts | null
  /** Tokens its stake paid when it was found. */
  readonly rewardTokens: ReadonlyArray<ContractAddress>
}

/** Shares that were bonded at one time: base units, Unix seconds, both exactly as stored. */
export interface Stake {
  readonly amount: bigint
  readonly since: bigint
}

/** What somebody has bonded in the stake of a pool. */
export interface StakeState {
  readonly contract: GatedContract<StakeKind>
  readonly stakes: readonly [Stake, ...ReadonlyArray<Stake>]
  /** Every token the stake pays, with what is due of it; null: only the contract knows, and did not say. */
  readonly rewards: ReadonlyArray<StakeReward> | null
}

/** A pool, and what somebody has of it. */
export interface PoolState extends PoolParts {
  readonly user: AccountAddress
  readonly contract: GatedContract<PoolKind>
  readonly shareContract: GatedContract<"shareToken">
  /** Base units, in the order of its tokens. */
  readonly reserves: readonly [bigint, bigint]
  readonly totalShares: bigint
  /** Shares in the wallet. */
  readonly shares: bigint
  /** Whether the account itself ever bonded here: nobody else can. */
  readonly bonded: boolean
  /** Null: nothing is bonded. */
  readonly staked: StakeState | null
}

/** What an account has, before anything else is read of the pool; null: nothing. */
const heldIn = (view: LedgerView, { shareToken, stake }: PoolParts, user: AccountAddress) =>
  Either.gen(function*() {
    yield* allRead(view, [contractDataKey(shareToken, Keys.shareBalance(user)), contractDataKey(stake, Keys.bonding(user))])
    const shares = (yield* valueIn(view, shareToken, Keys.shareBalance(user), amount)) ?? 0n
    const bonding = yield* valueIn(view, stake, Keys.bonding(user), Entries.Bonding)
    return shares === 0n && (bonding?.stakes.length ?? 0) === 0 ? null : { shares, bonding }
  })

/** Null: nothing is bonded in it. */
interface Bonded {
  readonly stake: ContractAddress | null
}

/** The contracts that decide what leaving does, side by side: the stake only where something is bonded. */
const gated = (view: LedgerView, code: PoolCode, pool: ContractAddress, { shareToken, stake }: Omit<PoolParts, "stake"> & Bonded) => {
  const gates = {
    contract: gate(view, pool, code.pool, code.declared.pool),
    shareContract: gate(view, shareToken, code.shareToken, code.declared.shareToken),
    stakeContract: stake === null
      ? Either.right<GatedContract<StakeKind> | null>(null)
      : gate(view, stake, code.stake, code.declared.stake)
  }
  const questions = Object.values(gates).flatMap(unreadBy)
  return questions.length > 0 ? Either.left<GateFailure>({ _tag: "Unread", questions }) : Either.all(gates)
}

/** Everything that is read of a pool in which something is held, in one round. */
const questionsOf = (pool: ContractAddress, { rewardTokens }: Pick<PoolFacts, "rewardTokens">, parts: PoolParts, user: AccountAddress) => [
  ...keptUnder(pool, Keys.settings, Keys.totalShares, ...Keys.reserves),
  instanceKey(parts.shareToken),
  ...parts.tokens.map(tokenFactsKey),
  instanceKey(parts.stake),
  ...[Keys.settings, Keys.rewardTokens].map((key) => contractDataKey(parts.stake, key)),
  ...rewardKeys(parts.stake, user, rewardTokens),
  ...rewardTokens.map(tokenFactsKey)
]

/** Fails where a pool or its stake says something else of its contracts than it was found with: then nothing else of it counts. */
const agrees = (contract: ContractAddress, isSame: boolean): Either.Either<void, Unusable> =>
  isSame
    ? Either.void
    : Either.left({ _tag: "Undecodable", key: contractDataKey(contract, Keys.settings), reason: "it names other contracts than it did" })

/** Whose stakes, and of which shares. */
interface Staker {
  readonly user: AccountAddress
  readonly shareToken: ContractAddress
}

const stakedIn = (
  view: LedgerView,
  contract: GatedContract<StakeKind>,
  bonding: Entries.Bonding,
  { shareToken, user }: Staker
): Either.Either<StakeState | null, Unusable> =>
  Either.gen(function*() {
    const { address, kind } = contract
    const { lp_token, min_bond } = yield* required(view, address, Keys.settings, Entries.StakeSettings)
    yield* agrees(address, lp_token === shareToken)
    const tokens = (yield* valueIn(view, address, Keys.rewardTokens, Entries.Contracts)) ?? []
    // A token may have been added since the pool was found.
    yield* allRead(view, [...rewardKeys(address, user, tokens).filter(() => kind !== "stake"), ...tokens.map(tokenFactsKey)])
    const rewards = yield* rewardsOf(view, { contract: address, kind, user, bonding, tokens }, min_bond)
    const [first, ...others] = bonding.stakes.map((one): Stake => ({ amount: one.stake, since: one.stake_timestamp }))
    return first === undefined ? null : { contract, stakes: [first, ...others], rewards }
  })

/** A pool with what an account has of it, free and bonded; null when it has nothing. */
export const poolState = (
  view: LedgerView,
  code: PoolCode,
  facts: PoolFacts,
  user: AccountAddress
): Either.Either<PoolState | null, GateFailure> =>
  Either.gen(function*() {
    const { contract: address } = facts
    const parts = facts.parts ?? (yield* partsIn(view, address))
    const held = yield* heldIn(view, parts, user)
    if (held === null) return null
    const { bonding, shares } = held
    yield* allRead(view, questionsOf(address, facts, parts, user))
    const isBonded = bonding !== null && bonding.stakes.length > 0
    const { contract, shareContract, stakeContract } = yield* gated(view, code, address, {
      ...parts,
      stake: isBonded ? parts.stake : null
    })
    const now = yield* partsIn(view, address)
    yield* agrees(address, JSON.stringify(now) === JSON.stringify(parts))
    const figure = (key: typeof Keys.totalShares) =>
      Either.flatMap(keptIn(view, address, key, amount), (found) => present(found, contractDataKey(address, key)))
    const [a, b] = [yield* figure(Keys.reserves[0]), yield* figure(Keys.reserves[1])]
    return {
      ...parts,
      user,
      contract,
      shareContract,
      reserves: [a, b],
      totalShares: yield* figure(Keys.totalShares),
      shares,
      bonded: bonding !== null,
      staked: bonding === null || stakeContract === null ? null : yield* stakedIn(view, stakeContract, bonding, { ...parts, user })
    }
  })

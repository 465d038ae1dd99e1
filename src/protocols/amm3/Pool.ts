import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { gate } from "../CodeGate.ts"
import type { GatedContract, GateFailure } from "../CodeGate.ts"
import type { Unrecognized } from "../HeldPosition.ts"
import { amount } from "../kit/Amount.ts"
import { reasonOf } from "../kit/Decoding.ts"
import { allAnswered, present, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, OpenQuestions, Unusable } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import { paysForOldShares, type PoolCode, type PoolKind } from "./Code.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { keptIn, keptUnder, partKeys, partsIn } from "./PoolParts.ts"
import type { PoolParts } from "./PoolParts.ts"
import { rewardKeys } from "./Rewards.ts"
import { type StakeState, stakeState } from "./StakeState.ts"

/** What is known of a pool before an account's entries are read. */
export interface PoolFacts {
  readonly contract: ContractAddress
  /** Null: what it says of itself could not be made out, so that it must be read for every account. */
  readonly parts: PoolParts | null
  /** Tokens its stake paid when it was found. */
  readonly rewardTokens: ReadonlyArray<ContractAddress>
}

/** A pool, and what someone has of it. */
export interface PoolState extends PoolParts {
  readonly user: AccountAddress
  readonly contract: GatedContract<PoolKind>
  readonly shareContract: GatedContract<"shareToken">
  /** Base units, in the order of its tokens. */
  readonly reserves: readonly [bigint, bigint]
  readonly totalShares: bigint
  /** Shares in the wallet. */
  readonly shares: bigint
  /** Whether the account itself bonded here, as no one else can. `now` also where what is bonded cannot be read. */
  readonly bonded: "never" | "before" | "now"
  /** Null: nothing is bonded, or what is cannot be read. */
  readonly staked: StakeState | null
  /** What is held beside that and cannot be read. */
  readonly unread: ReadonlyArray<Unrecognized>
}

/** Whether anything is held that can be read. */
export const hasPosition = ({ shares, staked }: PoolState): boolean => shares > 0n || staked !== null

/** Everything that tells whether an account has something in a pool. */
export const heldKeys = ({ oldShares, shareToken, stake }: PoolParts, user: AccountAddress): ReadonlyArray<xdr.LedgerKey> => [
  contractDataKey(shareToken, Keys.shareBalance(user)),
  contractDataKey(stake, Keys.bonding(user)),
  ...(oldShares === null ? [] : [contractDataKey(oldShares, Keys.shareBalance(user))])
]

/** When the account bonded, by its entry in the stake: that stays when everything is taken out. */
const bondedIn = (bonding: Either.Either<Entries.Bonding | null, Unusable>): PoolState["bonded"] => {
  if (Either.isRight(bonding) && bonding.right === null) return "never"
  return Either.isLeft(bonding) || (bonding.right?.stakes.length ?? 0) > 0 ? "now" : "before"
}

/** What an account has, before anything else is read of the pool; null: nothing. */
const heldIn = (view: LedgerView, parts: PoolParts, user: AccountAddress) =>
  Either.gen(function*() {
    const { oldShares, shareToken, stake } = parts
    yield* allAnswered(view, heldKeys(parts, user))
    const shares = (yield* valueIn(view, shareToken, Keys.shareBalance(user), amount)) ?? 0n
    // What cannot be read of the one hides nothing of the other.
    const bonding = valueIn(view, stake, Keys.bonding(user), Entries.Bonding)
    const old = oldShares === null ? Either.right(null) : valueIn(view, oldShares, Keys.shareBalance(user), amount)
    const hasOld = Either.isLeft(old) || (old.right ?? 0n) > 0n
    return shares === 0n && bondedIn(bonding) !== "now" && !hasOld ? null : { shares, bonding, hasOld }
  })

/** The code of a pool that is known, but for code that leaves it by shares of another token. */
const poolGate = (view: LedgerView, pool: ContractAddress, code: PoolCode): Either.Either<GatedContract<PoolKind>, GateFailure> =>
  Either.filterOrLeft(
    gate(view, pool, code.pool, code.declared.pool),
    ({ wasmHash }) => !paysForOldShares.has(wasmHash),
    ({ wasmHash }): GateFailure => ({ _tag: "UnknownCode", contract: pool, wasmHash })
  )

/** Everything that is read of a pool in which something is held, in one round. */
const questionsOf = (pool: ContractAddress, { rewardTokens }: Pick<PoolFacts, "rewardTokens">, parts: PoolParts, user: AccountAddress) => [
  ...partKeys(pool),
  ...keptUnder(pool, Keys.totalShares, ...Keys.reserves),
  instanceKey(parts.shareToken),
  ...parts.tokens.map(tokenFactsKey),
  instanceKey(parts.stake),
  ...[Keys.settings, Keys.rewardTokens].map((key) => contractDataKey(parts.stake, key)),
  ...rewardKeys(parts.stake, user, rewardTokens),
  ...rewardTokens.map(tokenFactsKey)
]

/** Fails where a pool says something else of its contracts than it was found with: then nothing else of it counts. */
const agrees = (contract: ContractAddress, isSame: boolean): Either.Either<void, Unusable> =>
  isSame
    ? Either.void
    : Either.left({ _tag: "Undecodable", key: contractDataKey(contract, Keys.settings), reason: "it names other contracts than it did" })

const unrecognized = (contract: ContractAddress, rawType: string, reason: string): Unrecognized => ({
  protocol: "amm_3",
  contract,
  rawType,
  reason
})

/** A part of what is held, or the item that reports it where it cannot be read. Left: queries must be answered first. */
const partOf = <A>(
  read: Either.Either<A, GateFailure>,
  contract: ContractAddress,
  rawType: string
): Either.Either<{ readonly part: A | null; readonly unread: ReadonlyArray<Unrecognized> }, OpenQuestions> =>
  Either.match(read, {
    onRight: (part) => Either.right({ part, unread: [] }),
    onLeft: (failure) =>
      failure._tag === "Unread"
        ? Either.left(failure)
        : Either.right({ part: null, unread: [unrecognized(contract, rawType, reasonOf(failure))] })
  })

const oldSharesHeld = "The account holds shares of the pool's former share token. This service does not know how the pool pays for them."

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
    const { bonding, hasOld, shares } = held
    yield* allAnswered(view, questionsOf(address, facts, parts, user))
    const staked = partOf(
      Either.flatMap(bonding, (one) => one === null ? Either.right(null) : stakeState(view, code, one, { ...parts, user })),
      parts.stake,
      "stake"
    )
    const gates = {
      contract: poolGate(view, address, code),
      shareContract: gate(view, parts.shareToken, code.shareToken, code.declared.shareToken)
    }
    const questions = [...Object.values(gates), staked].flatMap(openQuestions)
    if (questions.length > 0) return yield* Either.left<GateFailure>({ _tag: "Unread", questions })
    const { contract, shareContract } = yield* Either.all(gates)
    const { part, unread } = yield* staked
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
      bonded: bondedIn(bonding),
      staked: part,
      unread: [...unread, ...(hasOld ? [unrecognized(address, "old shares", oldSharesHeld)] : [])]
    }
  })

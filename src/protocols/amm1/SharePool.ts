import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { contract, u128 } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import {
  allAnswered,
  inInstance,
  instanceIn,
  type LedgerView,
  present,
  requiredInInstance,
  type Unusable,
  valueIn
} from "../kit/LedgerView.ts"
import { together } from "../kit/OpenQuestions.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import type { Codes } from "./Code.ts"
import * as Entries from "./Entries.ts"
import type { SharePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { owedOf, type PoolRewards, rewardQuestions, rewardsOf } from "./Rewards.ts"

/** What a user has in a pool whose shares are tokens. */
export interface SharePoolState {
  readonly facts: SharePoolFacts
  readonly pool: GatedContract<"constantProductPool" | "stablePool">
  readonly shareToken: GatedContract<"shareToken">
  /** May be none, where only rewards are left. */
  readonly shares: bigint
  /** In the pool's order, base units: what the shares are worth by the reserves the pool counts with. */
  readonly parts: ReadonlyArray<{ readonly token: ContractAddress; readonly amount: bigint }>
  readonly rewards: PoolRewards
}

/** The shares in a wallet; null: there never were any. */
export const sharesIn = (view: LedgerView, { shareToken }: SharePoolFacts, user: AccountAddress): Either.Either<bigint | null, Unusable> =>
  valueIn(view, shareToken, Keys.shareBalance(user), amount)

/** The token of its shares, by what a pool says of itself. */
export const shareTokenIn = (view: LedgerView, pool: ContractAddress): Either.Either<ContractAddress | null, Unusable> =>
  Either.flatMap(
    instanceIn(view, pool),
    (instance) => instance === null ? Either.right(null) : inInstance(pool, instance, Keys.Instance.share, contract)
  )

/** What a pool holds by its own count, with the tokens as it orders them. */
const holdingsOf = ({ address, instance }: GatedContract<string>, type: SharePoolFacts["type"]) =>
  Either.gen(function*() {
    if (type === "stable") {
      const tokens = yield* requiredInInstance(address, instance, Keys.Instance.tokens, Entries.Tokens)
      const reserves = yield* requiredInInstance(address, instance, Keys.Instance.reserves, Entries.Amounts)
      if (tokens.length !== reserves.length) {
        return yield* Either.left<Unusable>({ _tag: "Undecodable", key: instanceKey(address), reason: "not a reserve for each token" })
      }
      return tokens.map((token, index) => ({ token, reserve: reserves[index] ?? 0n }))
    }
    const tokenA = yield* requiredInInstance(address, instance, Keys.Instance.tokenA, contract)
    const tokenB = yield* requiredInInstance(address, instance, Keys.Instance.tokenB, contract)
    const reserveA = yield* requiredInInstance(address, instance, Keys.Instance.reserveA, u128)
    const reserveB = yield* requiredInInstance(address, instance, Keys.Instance.reserveB, u128)
    return [{ token: tokenA, reserve: reserveA }, { token: tokenB, reserve: reserveB }]
  })

/** Queries sent once it is known that shares are held, all in one round. */
const questionsOf = (facts: SharePoolFacts, user: AccountAddress) => [
  instanceKey(facts.contract),
  instanceKey(facts.shareToken),
  ...rewardQuestions(facts, user),
  ...[...facts.tokens, ...facts.beside].map(tokenFactsKey)
]

const gated = (view: LedgerView, { contract: pool, shareToken, type }: SharePoolFacts, codes: Codes) => {
  const own = type === "stable" ? codes.stablePool : codes.constantProductPool
  const share = gate(view, shareToken, codes.shareToken.known, codes.shareToken.declared)
  return Either.flatMap(
    Either.mapLeft(
      gate<"constantProductPool" | "stablePool">(view, pool, own.known, own.declared),
      (failure): GateFailure => together<GateFailure>(failure, share)
    ),
    (one) => Either.map(share, (token) => ({ pool: one, shareToken: token }))
  )
}

/** What a user has in a pool, once it is known that shares were held; null: nothing any more. */
export const sharePoolState = (
  view: LedgerView,
  facts: SharePoolFacts,
  user: AccountAddress,
  codes: Codes
): Either.Either<SharePoolState | null, GateFailure> =>
  Either.gen(function*() {
    const shares = yield* sharesIn(view, facts, user)
    if (shares === null) return null
    yield* allAnswered(view, questionsOf(facts, user))
    const { pool, shareToken } = yield* gated(view, facts, codes)
    const { address, instance } = pool
    const named = yield* requiredInInstance(address, instance, Keys.Instance.share, contract)
    if (named !== facts.shareToken) {
      return yield* Either.left<GateFailure>({ _tag: "Undecodable", key: instanceKey(address), reason: "its shares are another token now" })
    }
    const total = yield* requiredInInstance(address, instance, Keys.Instance.totalShares, u128)
    const holdings = yield* holdingsOf(pool, facts.type)
    yield* present(shares > total ? null : total, instanceKey(address))
    const rewards = yield* rewardsOf(view, { gated: pool, user, claimKilled: Keys.Instance.claimKilled }, codes.rewardsGauge)
    const isEmpty = shares === 0n && owedOf(rewards).length === 0 && !rewards.unread
    return isEmpty ? null : {
      facts,
      pool,
      shareToken,
      shares,
      parts: holdings.map(({ reserve, token }) => ({ token, amount: shares === 0n ? 0n : mulDown(shares, reserve, total) })),
      rewards
    }
  })

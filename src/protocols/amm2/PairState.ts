import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { address as anybody, bool, contract } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure, named } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { keptFor } from "../kit/HeldBalance.ts"
import {
  allAnswered,
  getterValue,
  inInstance,
  type LedgerView,
  type OpenQuestions,
  requiredInInstance,
  valueIn
} from "../kit/LedgerView.ts"
import type { Question, UntrustedGetter } from "../kit/Question.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import * as Keys from "./Keys.ts"
import type { PairCode } from "./PairCode.ts"
import type { PairBooks } from "./Withdrawal.ts"

/**
 * What a pair holds of a token, base units. It is read from the balance entry that asset contracts and common tokens store. Where that
 * entry does not decode, or is missing although the pair's reserve is not 0, the token's `balance` getter is called. Null: the getter
 * reports no amount. Left: queries must be answered first.
 */
const heldByPair = (
  view: LedgerView,
  token: ContractAddress,
  pair: ContractAddress,
  reserve: bigint
): Either.Either<bigint | null, OpenQuestions> => {
  const found = keptFor(view, token, pair)
  if (Either.isLeft(found) && found.left._tag === "Unread") return Either.left(found.left)
  if (Either.isRight(found) && (found.right !== null || reserve === 0n)) return Either.right(found.right ?? 0n)
  const getter: UntrustedGetter = { contract: token, function: "balance", args: [contract.encode(pair)], untrusted: true }
  return getterValue(view, getter, amount)
}

/** The first and the second token of a pair. */
export type Tokens = readonly [ContractAddress, ContractAddress]

/** What never changes of a pair. */
export interface PairFacts {
  readonly contract: ContractAddress
  /** The factory of the contracts file that lists it. */
  readonly factory: ContractAddress
  /** Null: they could not be read when the pair was listed. They are read again for accounts that hold shares. */
  readonly tokens: Tokens | null
}

/** A pair, and what an account holds of it. */
export interface PairState {
  readonly pair: GatedContract<"pair">
  readonly tokens: Tokens
  /** What the pair names as its factory. */
  readonly factory: ContractAddress
  /** Who is given the factory's part of the fees, in shares made for it; null: it takes none. */
  readonly feeTo: string | null
  /** Shares of the account; more than none. */
  readonly held: bigint
  /** Null: a token does not report what the pair holds of it. What the shares are worth is then not known. */
  readonly books: PairBooks | null
}

const ofTokens = (pair: ContractAddress, tokens: Tokens): ReadonlyArray<Question> =>
  tokens.flatMap((token) => [tokenFactsKey(token), contractDataKey(token, Keys.balance(pair))])

/** Queries for everything that shares of a pair depend on, sent in one round. */
const details = ({ contract: pair, factory, tokens }: PairFacts): ReadonlyArray<Question> => [
  instanceKey(pair),
  contractDataKey(pair, Keys.balance(pair)),
  instanceKey(factory),
  ...(tokens === null ? [] : ofTokens(pair, tokens))
]

/** What an account holds in a pair, or null when there is nothing: of a pair in which no one of interest holds shares nothing is read. */
export const pairState = (
  view: LedgerView,
  code: PairCode,
  facts: PairFacts,
  user: AccountAddress
): Either.Either<PairState | null, GateFailure> =>
  Either.gen(function*() {
    const held = yield* valueIn(view, facts.contract, Keys.balance(user), amount)
    if (held === null || held === 0n) return null
    yield* allAnswered(view, details(facts))
    const pair = yield* gate(view, facts.contract, code.pair, code.declared)
    const factory = yield* named(view, facts.factory, code.factory)
    const { address, instance } = pair
    const inside = (key: (typeof Keys.inPair)["reserve0" | "reserve1" | "totalSupply"]) =>
      requiredInInstance(address, instance, key, amount)
    const tokens: Tokens = [
      yield* requiredInInstance(address, instance, Keys.inPair.token0, contract),
      yield* requiredInInstance(address, instance, Keys.inPair.token1, contract)
    ]
    yield* allAnswered(view, ofTokens(address, tokens))
    const takesFees = (yield* inInstance(facts.factory, factory.instance, Keys.feesEnabled, bool)) ?? false
    const reserves = [yield* inside(Keys.inPair.reserve0), yield* inside(Keys.inPair.reserve1)] as const
    const supply = yield* inside(Keys.inPair.totalSupply)
    const first = yield* heldByPair(view, tokens[0], address, reserves[0])
    // Without the one the other tells nothing.
    const second = first === null ? null : yield* heldByPair(view, tokens[1], address, reserves[1])
    return {
      pair,
      tokens,
      factory: yield* requiredInInstance(address, instance, Keys.inPair.factory, contract),
      feeTo: takesFees ? yield* requiredInInstance(facts.factory, factory.instance, Keys.feeTo, anybody) : null,
      held,
      books: first === null || second === null ? null : {
        balances: [first, second],
        reserves,
        supply,
        own: (yield* valueIn(view, address, Keys.balance(address), amount)) ?? 0n,
        lastProduct: (yield* inInstance(address, instance, Keys.inPair.lastProduct, amount)) ?? 0n,
        takesFees
      }
    }
  })

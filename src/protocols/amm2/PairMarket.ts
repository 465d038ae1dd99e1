import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { account, contract, i128, u64, vec } from "../../stellar/ScValCodec.ts"
import { gate, type GateFailure } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { type LedgerView, requiredInInstance } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Legs, Market, TradeTerms, TradingPool, Venue } from "../TradingPool.ts"
import { inPair, routerFactory } from "./Keys.ts"
import type { PairCode } from "./PairCode.ts"
import type { PairFacts, Tokens } from "./PairState.ts"
import { fits } from "./Withdrawal.ts"

/** What a pair counts as its own of the token that goes in and of the one that comes out, base units. */
interface Sides {
  readonly sold: bigint
  readonly bought: bigint
}

/**
 * What an amount brings: three in a thousand are taken off it, rounded up, and the product of the reserves does not fall. Null: router or
 * pair refuse, because something is nothing, or beyond what they can compute with.
 */
export const paidBy = ({ bought, sold }: Sides, amount: bigint): bigint | null => {
  if (amount <= 0n || sold <= 0n || bought <= 0n || !fits(amount * 3n + 999n, sold + amount)) return null
  const fee = (amount * 3n + 999n) / 1_000n
  const counted = amount - fee
  if (!fits(counted * bought, sold * bought)) return null
  const paid = (counted * bought) / (sold + counted)
  return paid > 0n && fits((sold + counted) * (bought - paid)) ? paid : null
}

const path = vec(contract)

const otherwise = (address: ContractAddress, reason: string): GateFailure => ({ _tag: "Undecodable", key: instanceKey(address), reason })

/**
 * `swap_exact_tokens_for_tokens(amount_in, amount_out_min, path, to, deadline)`: what is sold goes to the first pair, and every pair pays
 * the next. The router refuses at the very second of the deadline.
 */
const swapAlong = (router: ContractAddress, code: string, legs: Legs, { deadline, least, user }: TradeTerms): ContractCall => {
  const [{ amountIn, from, pool: { contract: first } }] = legs
  const { amountOut, to } = legs.at(-1) ?? legs[0]
  return {
    contract: router,
    code,
    function: "swap_exact_tokens_for_tokens",
    args: [
      i128.encode(amountIn),
      i128.encode(least),
      path.encode([from, ...legs.map((leg) => leg.to)]),
      account.encode(user),
      u64.encode(deadline)
    ],
    payouts: [{ token: to, expected: amountOut }],
    least: { token: to, amount: least },
    holds: [{ token: from, amount: amountIn }],
    subCalls: [
      { contract: from, function: "transfer", args: [account.encode(user), contract.encode(first), i128.encode(amountIn)], subCalls: [] }
    ],
    recipients: [first]
  }
}

/** The code of a router, where it is known and the router finds the pairs of this factory. */
const routerCode = (view: LedgerView, code: PairCode, router: ContractAddress, factory: ContractAddress) =>
  Either.flatMap(
    gate(view, router, code.router),
    ({ instance, wasmHash }): Either.Either<string, GateFailure> =>
      Either.flatMap(requiredInInstance(router, instance, routerFactory, contract), (named) =>
        named === factory ? Either.right(wasmHash) : Either.left(otherwise(router, "it is the router of another factory")))
  )

/** The call through the first router that serves. */
const open = (view: LedgerView, code: PairCode, routers: ReadonlyArray<ContractAddress>, factory: ContractAddress) =>
  Either.gen(function*() {
    const maker = gate(view, factory, code.factory)
    const codes = routers.map((router) => Either.map(routerCode(view, code, router, factory), (hash) => ({ router, hash })))
    const questions = [maker, ...codes].flatMap(openQuestions)
    if (questions.length > 0) return yield* Either.left<GateFailure>({ _tag: "Unread", questions })
    yield* maker
    const { hash, router } = yield* codes.find(Either.isRight) ?? codes[0] ?? Either.left(otherwise(factory, "it has no router"))
    return (legs: Legs, terms: TradeTerms) => swapAlong(router, hash, legs, terms)
  })

/** The venue of each factory: one for all its pairs, so that a way may lead through several. */
export const pairVenues = (
  code: PairCode,
  factories: ReadonlyArray<ContractAddress>,
  routers: ReadonlyArray<ContractAddress>
): ReadonlyMap<ContractAddress, Venue> =>
  new Map(
    routers.length === 0 ? [] : factories.map((factory) => [factory, { mostLegs: 3, open: (view) => open(view, code, routers, factory) }])
  )

/** What a pair pays that counts so much of each token as its own: all that is sold stays with it, its fee too. */
const pairMarket = (own: ReadonlyMap<ContractAddress, bigint>): Market => {
  const reserve = (token: ContractAddress): bigint => own.get(token) ?? 0n
  const pays: Market["pays"] = (from, to, sold) => paidBy({ sold: reserve(from), bought: reserve(to) }, sold)
  return {
    pays,
    after: (from, to, sold) => {
      const paid = pays(from, to, sold)
      return paid === null ? null : pairMarket(new Map([[from, reserve(from) + sold], [to, reserve(to) - paid]]))
    }
  }
}

/**
 * A pair by what it counts as its own. What its tokens say that it holds is not read: where that is less (a balance that was clawed back)
 * the call fails, and pays nothing else.
 */
const marketOf = (view: LedgerView, code: PairCode, { contract: pair, factory }: PairFacts, tokens: Tokens) =>
  Either.gen(function*() {
    const { instance } = yield* gate(view, pair, code.pair)
    const named = yield* Either.all(
      [inPair.token0, inPair.token1, inPair.factory].map((key) => requiredInInstance(pair, instance, key, contract))
    )
    const reserves = yield* Either.all([inPair.reserve0, inPair.reserve1].map((key) => requiredInInstance(pair, instance, key, amount)))
    if (named.join() !== [...tokens, factory].join()) return yield* Either.left(otherwise(pair, "it is another pair than it was"))
    return pairMarket(new Map(tokens.map((token, at) => [token, reserves[at] ?? 0n])))
  })

/** A pair as it trades; null where its tokens are not known, or no router of its factory is. */
export const tradingPair = (code: PairCode, venues: ReadonlyMap<ContractAddress, Venue>, facts: PairFacts): TradingPool | null => {
  const { contract: pair, factory, tokens } = facts
  const venue = venues.get(factory)
  return tokens === null || venue === undefined ? null : {
    contract: pair,
    tokens,
    venue,
    index: null,
    market: (view) => marketOf(view, code, facts, tokens)
  }
}

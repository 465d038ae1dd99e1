import { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big, Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { account, bool, contract, i128, u128, u32, u64, vec } from "../../stellar/ScValCodec.ts"
import { gate, type GatedContract, type GateFailure } from "../CodeGate.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import { balanceOf, keptFor } from "../kit/HeldBalance.ts"
import { allAnswered, inInstance, type LedgerView, requiredInInstance, type Unusable } from "../kit/LedgerView.ts"
import type { Legs, Market, TradeTerms, TradingPool, Venue } from "../TradingPool.ts"
import type { Codes } from "./Code.ts"
import * as Entries from "./Entries.ts"
import type { RangePoolFacts, SharePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { rangeMarket } from "./RangeMarket.ts"
import { amplificationAt, stableKept, stablePaid } from "./StableTrade.ts"

/** What a pool of constant product counts with, base units. */
interface ProductBooks {
  /** What it holds of the token that goes in, and of the one that comes out. */
  readonly sold: bigint
  readonly bought: bigint
  /** Ten thousandths of what goes in. */
  readonly fee: bigint
}

const feeParts = 10_000n

/** What of an amount leaves the books of a pool for the protocol: a part (ten thousandths) of its fee. */
const productKept = (amount: bigint, fee: bigint, fraction: bigint): bigint =>
  mulDown(amount - mulDown(amount, feeParts - fee, feeParts), fraction, feeParts)

/** What an amount brings: the fee is taken off it, and the product does not fall. Null: the pool is empty. */
export const productPaid = ({ bought, fee, sold }: ProductBooks, amount: bigint): bigint | null => {
  if (sold === 0n || bought === 0n) return null
  const traded = mulDown(amount, feeParts - fee, feeParts)
  return mulDown(traded, bought, sold + traded)
}

/**
 * `swap_chained(user, swaps_chain, token_in, in_amount, out_min)`: the router takes what is sold, trades in every pool itself and pays what the
 * last one gave. It knows no deadline.
 */
const swapAlong = (router: ContractAddress, code: string, legs: Legs, { least, user }: TradeTerms): ContractCall => {
  const [{ amountIn, from }] = legs
  const { amountOut, to } = legs.at(-1) ?? legs[0]
  return {
    contract: router,
    code,
    function: "swap_chained",
    args: [
      account.encode(user),
      xdr.ScVal.scvVec(
        legs.map(({ pool: { index, tokens }, to: bought }) =>
          xdr.ScVal.scvVec([Entries.Tokens.encode(tokens), index ?? xdr.ScVal.scvVoid(), contract.encode(bought)])
        )
      ),
      contract.encode(from),
      u128.encode(amountIn),
      u128.encode(least)
    ],
    payouts: [{ token: to, expected: amountOut }],
    least: { token: to, amount: least },
    holds: [{ token: from, amount: amountIn }],
    subCalls: [
      { contract: from, function: "transfer", args: [account.encode(user), contract.encode(router), i128.encode(amountIn)], subCalls: [] }
    ],
    recipients: [router]
  }
}

/** Routers, each a venue of the pools that it lists. */
export const routerVenues = ({ router: known }: Codes, routers: ReadonlyArray<ContractAddress>): ReadonlyMap<ContractAddress, Venue> =>
  new Map(routers.map((router) => [
    router,
    {
      mostLegs: 3,
      open: (view) => Either.map(gate(view, router, known), ({ wasmHash }) => (legs, terms) => swapAlong(router, wasmHash, legs, terms))
    }
  ]))

type Pool = GatedContract<"constantProductPool" | "stablePool">

const amounts = vec(u128)

const undecodable = (pool: ContractAddress, reason: string): Unusable => ({ _tag: "Undecodable", key: instanceKey(pool), reason })

/** What a pool counts as its own, and what of its tokens is the protocol's, in its order. */
const booksOf = ({ address, instance }: Pool, type: SharePoolFacts["type"]) => {
  const needed = (key: xdr.ScVal) => requiredInInstance(address, instance, key, u128)
  const perhaps = (key: xdr.ScVal) => Either.map(inInstance(address, instance, key, u128), (found) => found ?? 0n)
  const { protocolFeeA, protocolFeeB, protocolFees, reserveA, reserveB, reserves } = Keys.Instance
  return type === "constant_product"
    ? Either.all({
      reserves: Either.all([needed(reserveA), needed(reserveB)]),
      fees: Either.all([perhaps(protocolFeeA), perhaps(protocolFeeB)])
    })
    : Either.all({
      reserves: requiredInInstance(address, instance, reserves, amounts),
      fees: Either.map(inInstance(address, instance, protocolFees, amounts), (found) => found ?? [])
    })
}

/**
 * What a pool will count with in its next trade: once a ledger it takes what it holds beyond its reserves into them, but of the token of its
 * rewards, and none where there are no shares.
 */
const reservesOf = (view: LedgerView, pool: Pool, { tokens, type }: SharePoolFacts): Either.Either<ReadonlyArray<bigint>, Unusable> =>
  Either.gen(function*() {
    const { address, instance } = pool
    const { fees, reserves } = yield* booksOf(pool, type)
    if (reserves.length !== tokens.length) return yield* Either.left(undecodable(address, "not a reserve for each token"))
    const reward = yield* inInstance(address, instance, Keys.Instance.rewardToken, contract)
    const shares = (yield* inInstance(address, instance, Keys.Instance.totalShares, u128)) ?? 0n
    const held = yield* Either.all(tokens.map((token) => keptFor(view, token, address)))
    return reserves.map((reserve, at) => {
      const own = (held[at] ?? 0n) - (fees[at] ?? 0n)
      return shares > 0n && tokens[at] !== reward ? Big.max(own, reserve) : reserve
    })
  })

/** What a stable pool computes with beside its reserves. */
const stableTerms = (view: LedgerView, { address, instance }: Pool) =>
  Either.gen(function*() {
    const needed = <A>(key: xdr.ScVal, codec: Parameters<typeof requiredInInstance<A>>[3]) =>
      requiredInInstance(address, instance, key, codec)
    const ramp = {
      from: yield* needed(Keys.Instance.initialA, u128),
      to: yield* needed(Keys.Instance.futureA, u128),
      start: yield* needed(Keys.Instance.initialATime, u64),
      end: yield* needed(Keys.Instance.futureATime, u64)
    }
    const amplification = amplificationAt(ramp, view.closeTime)
    if (amplification === null) return yield* Either.left(undecodable(address, "its amplification has not begun to change"))
    return { amplification, decimals: yield* needed(Keys.Instance.decimals, vec(u32)) }
  })

/** An amount that a transfer can carry. */
const fits = (amount: bigint): boolean => amount < 1n << 127n

/** How a pool trades by what it counts with. */
interface Trade {
  readonly reserves: ReadonlyArray<bigint>
  /** What it pays for an amount of the token at one place, in the token at another. */
  readonly paid: (reserves: ReadonlyArray<bigint>, from: number, to: number, amount: bigint) => bigint | null
  /** What of an amount it does not count as its own afterwards. */
  readonly kept: (amount: bigint) => bigint
}

const tradeIn = (view: LedgerView, pool: Pool, facts: SharePoolFacts): Either.Either<Trade, Unusable> =>
  Either.gen(function*() {
    const reserves = yield* reservesOf(view, pool, facts)
    const { address, instance } = pool
    const feeKey = facts.type === "stable" ? Keys.Instance.stableFee : Keys.Instance.productFee
    const fee = BigInt(yield* requiredInInstance(address, instance, feeKey, u32))
    if (fee > 10_000n) return yield* Either.left(undecodable(address, "a fee above everything"))
    const fraction = BigInt((yield* inInstance(address, instance, Keys.Instance.protocolFraction, u32)) ?? 0)
    if (facts.type === "constant_product") {
      return {
        reserves,
        paid: (held, from, to, amount) => productPaid({ sold: held[from] ?? 0n, bought: held[to] ?? 0n, fee }, amount),
        kept: (amount) => productKept(amount, fee, fraction)
      }
    }
    const terms = yield* stableTerms(view, pool)
    return {
      reserves,
      paid: (held, from, to, amount) => stablePaid({ ...terms, reserves: held, fee }, { from, to, amount }),
      kept: (amount) => stableKept(amount, fee, fraction)
    }
  })

/** What a pool pays that trades so. */
const tradeMarket = (tokens: ReadonlyArray<ContractAddress>, trade: Trade): Market => {
  const pays: Market["pays"] = (sold, bought, amount) => {
    const [from, to] = [tokens.indexOf(sold), tokens.indexOf(bought)]
    const isTrade = amount > 0n && from >= 0 && to >= 0 && from !== to && fits(amount)
    const paid = isTrade ? trade.paid(trade.reserves, from, to, amount) : null
    return paid !== null && paid > 0n && fits(paid) ? paid : null
  }
  return {
    pays,
    after: (sold, bought, amount) => {
      const paid = pays(sold, bought, amount)
      if (paid === null) return null
      const change = (token: ContractAddress | undefined): bigint => {
        if (token === sold) return amount - trade.kept(amount)
        return token === bought ? -paid : 0n
      }
      return tradeMarket(tokens, { ...trade, reserves: trade.reserves.map((one, at) => one + change(tokens[at])) })
    }
  }
}

const marketOf = (view: LedgerView, codes: Codes, facts: SharePoolFacts): Either.Either<Market, GateFailure> =>
  Either.gen(function*() {
    const { contract: address, tokens, type } = facts
    yield* allAnswered(view, [instanceKey(address), ...tokens.map((token) => contractDataKey(token, balanceOf(address)))])
    const { known } = type === "stable" ? codes.stablePool : codes.constantProductPool
    const pool = yield* gate<"constantProductPool" | "stablePool">(view, address, known)
    const isKilled = yield* inInstance(address, pool.instance, Keys.Instance.swapKilled, bool)
    if (isKilled ?? false) return yield* Either.left(undecodable(address, "it trades no more"))
    return tradeMarket(tokens, yield* tradeIn(view, pool, facts))
  })

/** A pool as it trades; null where no router of the file lists it. */
export const tradingPool = (
  codes: Codes,
  venues: ReadonlyMap<ContractAddress, Venue>,
  facts: SharePoolFacts | RangePoolFacts
): TradingPool | null => {
  const { contract: pool, listed, tokens } = facts
  const venue = listed === null ? undefined : venues.get(listed.router)
  return listed === null || venue === undefined ? null : {
    contract: pool,
    tokens,
    venue,
    ...(facts.type === "concentrated" ? { isDear: true } : {}),
    index: listed.index,
    market: (view) => (facts.type === "concentrated" ? rangeMarket(view, codes, facts) : marketOf(view, codes, facts))
  }
}

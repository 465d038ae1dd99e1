import { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { account, contract, i128, u64 } from "../../stellar/ScValCodec.ts"
import { gate, type GateFailure } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { allAnswered, type LedgerView, present, type Unusable } from "../kit/LedgerView.ts"
import type { Legs, Market, TradeTerms, TradingPool } from "../TradingPool.ts"
import type { PoolCode } from "./Code.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import type { PoolFacts } from "./Pool.ts"
import { keptIn, keptUnder } from "./PoolParts.ts"

/** What a pool of constant product counts with. */
interface PoolBooks {
  /** What it holds of the token that goes in, and of the one that comes out; base units. */
  readonly sold: bigint
  readonly bought: bigint
  /** Of what comes out, hundredths of a per cent. */
  readonly fee: bigint
  /** How much less than at the price before a trade may pay, hundredths of a per cent of what it pays with the fee. */
  readonly mostSpread: bigint
}

const fits = (value: bigint): boolean => value < 1n << 127n

/** Ratios and rates have eighteen decimals. */
const one = 10n ** 18n
const basisPoint = 10n ** 14n

/** What an amount takes out of a pool; base units. */
interface PoolPayout {
  readonly paid: bigint
  /** What goes to whom the fees of the pool go to. */
  readonly fee: bigint
}

/**
 * What an amount brings: the product is rounded down, and the fee is taken off what comes out. Null: the pool refuses, because the trade
 * moves the price too far, or is so small that it would pay more than the price before, of which older pools can make nothing.
 */
export const poolPaid = ({ bought, fee, mostSpread, sold }: PoolBooks, amount: bigint): PoolPayout | null => {
  if (amount <= 0n || sold <= 0n || bought <= 0n || !fits(sold + amount)) return null
  const whole = bought - (sold * bought) / (sold + amount)
  const spread = (amount * bought) / sold - whole
  const taken = (whole * fee * basisPoint) / one
  const paid = whole - taken
  if (spread < 0n || paid <= 0n || !fits(spread * one)) return null
  return (spread * one) / whole > mostSpread * basisPoint ? null : { paid, fee: taken }
}

const left = xdr.ScVal.scvVoid()

/** Code, and to whom fees go. */
interface PoolFees {
  readonly code: string
  readonly feeRecipient: string
}

/**
 * `swap(sender, offer_asset, offer_amount, ask_asset_min_amount, max_spread_bps, deadline, max_allowed_fee_bps)`: one pool, because the contract
 * that goes through several runs code that no file lists. Spread and fee are bounded by the least.
 */
const swapIn = (
  { code, feeRecipient }: PoolFees,
  [{ amountIn, amountOut, from, pool: { contract: pool }, to }]: Legs,
  { deadline, least, user }: TradeTerms
): ContractCall => ({
  contract: pool,
  code,
  function: "swap",
  args: [
    account.encode(user),
    contract.encode(from),
    i128.encode(amountIn),
    i128.encode(least),
    left,
    u64.encode(deadline),
    left
  ],
  payouts: [{ token: to, expected: amountOut }],
  least: { token: to, amount: least },
  holds: [{ token: from, amount: amountIn }],
  subCalls: [
    { contract: from, function: "transfer", args: [account.encode(user), contract.encode(pool), i128.encode(amountIn)], subCalls: [] }
  ],
  recipients: [pool, feeRecipient]
})

/** The pool type of constant product. Nothing that is read here determines what other types pay. */
const productPool = 0

const settingsOf = (view: LedgerView, pool: ContractAddress) =>
  Either.flatMap(keptIn(view, pool, Keys.settings, Entries.Settings), (found) => present(found, contractDataKey(pool, Keys.settings)))

const otherwise = (pool: ContractAddress, reason: string): Unusable => ({
  _tag: "Undecodable",
  key: contractDataKey(pool, Keys.settings),
  reason
})

/** What a pool of constant product pays that holds so much of each token. */
const productMarket = (own: ReadonlyMap<ContractAddress, bigint>, terms: Pick<PoolBooks, "fee" | "mostSpread">): Market => {
  const reserve = (token: ContractAddress): bigint => own.get(token) ?? 0n
  const traded = (from: ContractAddress, to: ContractAddress, sold: bigint) =>
    from === to ? null : poolPaid({ sold: reserve(from), bought: reserve(to), ...terms }, sold)
  return {
    pays: (from, to, sold) => traded(from, to, sold)?.paid ?? null,
    after: (from, to, sold) => {
      const out = traded(from, to, sold)
      return out === null
        ? null
        : productMarket(new Map([[from, reserve(from) + sold], [to, reserve(to) - out.paid - out.fee]]), terms)
    }
  }
}

const marketOf = (
  view: LedgerView,
  { pool: known }: PoolCode,
  pool: ContractAddress,
  tokens: readonly [ContractAddress, ContractAddress]
): Either.Either<Market, GateFailure> =>
  Either.gen(function*() {
    yield* allAnswered(view, keptUnder(pool, Keys.settings, ...Keys.reserves))
    yield* gate(view, pool, known)
    const { max_allowed_spread_bps: mostSpread, pool_type, token_a, token_b, total_fee_bps: fee } = yield* settingsOf(view, pool)
    if (pool_type !== productPool) return yield* Either.left(otherwise(pool, "it is not of constant product"))
    if (token_a !== tokens[0] || token_b !== tokens[1] || fee < 0n || fee > 10_000n) {
      return yield* Either.left(otherwise(pool, "it is another pool than it was"))
    }
    const reserves = yield* Either.all(
      Keys.reserves.map((key) => Either.flatMap(keptIn(view, pool, key, amount), (found) => present(found, contractDataKey(pool, key))))
    )
    return productMarket(new Map(tokens.map((token, at) => [token, reserves[at] ?? 0n])), { fee, mostSpread })
  })

/** A pool as it trades, alone; null where what it is made of is not known. */
export const tradingPool = (code: PoolCode, { contract: pool, parts }: PoolFacts): TradingPool | null =>
  parts === null ? null : {
    contract: pool,
    tokens: parts.tokens,
    venue: {
      mostLegs: 1,
      open: (view) =>
        Either.gen(function*() {
          yield* allAnswered(view, keptUnder(pool, Keys.settings))
          const { wasmHash } = yield* gate(view, pool, code.pool)
          const { fee_recipient: feeRecipient } = yield* settingsOf(view, pool)
          return (legs, terms) => swapIn({ code: wasmHash, feeRecipient }, legs, terms)
        })
    },
    index: null,
    market: (view) => marketOf(view, code, pool, parts.tokens)
  }

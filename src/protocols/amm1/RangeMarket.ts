import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { bool, contract, i32, u128, u32 } from "../../stellar/ScValCodec.ts"
import { gate, type GateFailure } from "../CodeGate.ts"
import { inInstance, type LedgerView, requiredInInstance } from "../kit/LedgerView.ts"
import type { Market } from "../TradingPool.ts"
import type { Codes } from "./Code.ts"
import * as Entries from "./Entries.ts"
import type { RangePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { mostTick } from "./RangeMath.ts"
import { type Direction, rangeAfter, type RangeBooks, rangePaid } from "./RangeTrade.ts"
import { ticksAhead } from "./UsedTicks.ts"

/** What a pool with these books pays. */
const booksMarket = (books: RangeBooks, tokens: RangePoolFacts["tokens"]): Market => {
  const [first, second] = tokens
  const directionOf = (sold: ContractAddress, bought: ContractAddress): Direction | null => {
    if (sold === first && bought === second) return "down"
    return sold === second && bought === first ? "up" : null
  }
  const pays: Market["pays"] = (sold, bought, amount) => {
    const direction = directionOf(sold, bought)
    if (amount <= 0n || amount >= 1n << 127n || direction === null) return null
    const paid = rangePaid(books, amount, direction)
    return paid !== null && paid > 0n && paid < 1n << 127n ? paid : null
  }
  return {
    pays,
    after: (sold, bought, amount) => {
      const direction = directionOf(sold, bought)
      const after = direction === null || pays(sold, bought, amount) === null ? null : rangeAfter(books, amount, direction)
      return after === null ? null : booksMarket(after, tokens)
    }
  }
}

/**
 * A concentrated pool by its price, its liquidity and the ticks around it. What its tokens say that it holds is not read: where that is less
 * the call fails, and pays nothing else.
 */
export const rangeMarket = (
  view: LedgerView,
  { tradedConcentratedPool: known }: Codes,
  { contract: address, tokens }: RangePoolFacts
): Either.Either<Market, GateFailure> =>
  Either.gen(function*() {
    const { instance } = yield* gate(view, address, known)
    const needed = <A>(key: xdr.ScVal, codec: Parameters<typeof requiredInInstance<A>>[3]) =>
      requiredInInstance(address, instance, key, codec)
    const perhaps = <A>(key: xdr.ScVal, codec: Parameters<typeof inInstance<A>>[3], otherwise: A) =>
      Either.map(inInstance(address, instance, key, codec), (found) => found ?? otherwise)
    const otherwise = (reason: string) => Either.left<GateFailure>({ _tag: "Undecodable", key: instanceKey(address), reason })
    if (yield* perhaps(Keys.Instance.swapKilled, bool, false)) return yield* otherwise("it trades no more")
    const named = [yield* needed(Keys.Instance.token0, contract), yield* needed(Keys.Instance.token1, contract)]
    if (named.join() !== tokens.join()) return yield* otherwise("it is another pool than it was")
    const fee = BigInt(yield* needed(Keys.Instance.stableFee, u32))
    const raw = yield* perhaps(Keys.Instance.rawLiquidity, u128, 0n)
    if (raw === 0n || fee >= 10_000n) return yield* otherwise("nothing is in it, or its fee takes all")
    const { sqrt_price_x96: sqrtPrice, tick } = yield* needed(Keys.Instance.slot0, Entries.Slot0)
    const books = {
      sqrtPrice,
      liquidity: yield* perhaps(Keys.Instance.liquidity, u128, 0n),
      fee,
      reserves: [yield* perhaps(Keys.Instance.reserve0, u128, 0n), yield* perhaps(Keys.Instance.reserve1, u128, 0n)] as const,
      ahead: yield* ticksAhead(view, address, {
        tick,
        spacing: yield* needed(Keys.Instance.tickSpacing, Entries.tickSpacing),
        lowest: yield* perhaps(Keys.Instance.lowestTick, i32, mostTick),
        highest: yield* perhaps(Keys.Instance.highestTick, i32, -mostTick)
      })
    }
    return booksMarket(books, tokens)
  })

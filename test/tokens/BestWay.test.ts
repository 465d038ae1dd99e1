import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { ContractAddress } from "../../src/domain/Address.ts"
import type { OpenPool } from "../../src/protocols/ProtocolRegistry.ts"
import { bestWay } from "../../src/tokens/routes/BestWay.ts"
import { madePool, named, open, venueOf } from "./support/MadePools.ts"

const venue = venueOf(3)
const tokens = Array.from({ length: 6 }, (_, at) => named(`token ${at}`))
const [from, to] = [named("token 0"), named("token 1")]

/** The best payout over all routes through some pools; no route uses a token or a pool twice. */
const most = (pools: ReadonlyArray<OpenPool>, legs: number, at: ContractAddress, amount: bigint, seen: ReadonlyArray<string>): bigint => {
  if (at === to) return amount
  if (legs === 0) return 0n
  const brought = pools.filter(({ pool }) => pool.tokens.includes(at) && !seen.includes(pool.contract)).flatMap(({ market, pool }) =>
    pool.tokens.filter((token) => token !== at && !seen.includes(token)).map((token) => {
      const paid = market.pays(at, token, amount)
      return paid === null ? 0n : most(pools, legs - 1, token, paid, [...seen, at, pool.contract])
    })
  )
  return brought.reduce((best, one) => (one > best ? one : best), 0n)
}

const amount = fc.bigInt(1_000n, 10n ** 15n)

const drawnPool = fc.record({
  tokens: fc.uniqueArray(fc.integer({ min: 0, max: tokens.length - 1 }), { minLength: 2, maxLength: 3 }),
  reserves: fc.array(amount, { minLength: 3, maxLength: 3 })
})

describe("the best way", () => {
  it("brings what trying every way brings", () => {
    const seen = { none: 0, legs: new Map<number, number>() }
    fc.assert(
      fc.property(
        fc.array(drawnPool, { minLength: 1, maxLength: 12 }),
        fc.bigInt(1n, 10n ** 12n),
        fc.integer({ min: 1, max: 3 }),
        (drawn, sold, legs) => {
          const pools = drawn.map(({ reserves, tokens: places }, at) =>
            open(madePool(`pool ${at}`, venue, places.map((place) => tokens[place] ?? from), reserves))
          )
          const way = bestWay(pools, legs, { from, to, amount: sold })
          assert.strictEqual(way?.at(-1)?.amountOut ?? 0n, most(pools, legs, from, sold, []))
          if (way === null) seen.none++
          else seen.legs.set(way.length, (seen.legs.get(way.length) ?? 0) + 1)
          // Every leg takes the payout of the one before it, in the same token.
          let held = { token: from, amount: sold }
          for (const leg of way ?? []) {
            assert.deepStrictEqual({ token: leg.from, amount: leg.amountIn }, held)
            held = { token: leg.to, amount: leg.amountOut }
          }
        }
      ),
      { numRuns: 3_000, seed: 5 }
    )
    assert.isAbove(seen.none, 100)
    for (const legs of [1, 2, 3]) assert.isAbove(seen.legs.get(legs) ?? 0, 100)
  })

  it("of equals is the one with fewest pools", () => {
    const [middle] = [named("token 2")]
    const mirror = (name: string, one: ContractAddress, other: ContractAddress) =>
      open(madePool(name, venue, [one, other], [10n ** 30n, 10n ** 30n]))
    const pools = [mirror("a", from, middle), mirror("b", middle, to), mirror("c", from, to)]
    assert.strictEqual(bestWay(pools, 3, { from, to, amount: 1_000_000n })?.length, 1)
  })

  it("among thousands of pools takes no longer than their number says", () => {
    const middles = Array.from({ length: 3_000 }, (_, at) => named(`stranger ${at}`))
    const pools = middles.flatMap((middle, at) => [
      open(madePool(`in ${at}`, venue, [from, middle], [10n ** 12n, 10n ** 12n + BigInt(at) * 10n ** 8n])),
      open(madePool(`out ${at}`, venue, [middle, to], [10n ** 12n, 10n ** 12n]))
    ])
    let asked = 0
    const counted = pools.map(({ market, ...rest }): OpenPool => ({
      ...rest,
      market: {
        pays: (...trade) => {
          asked++
          return market.pays(...trade)
        },
        after: market.after
      }
    }))
    assert.strictEqual(bestWay(counted, 3, { from, to, amount: 1_000_000n })?.[0].pool.contract, named("in 2999"))
    assert.isAtMost(asked, 4 * pools.length)
  })
})

import { assert, it } from "@effect/vitest"
import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { lumen } from "../../src/ledger/Asset.ts"
import { addressOf, addressVal, i128 } from "../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../src/operations/ContractCall.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { Amm1Market } from "../../src/sandbox/scenarios/Amm1Market.ts"
import { depositInto, rangesOf } from "../../src/sandbox/scenarios/Amm1Positions.ts"
import { accountVal, callContract } from "../../src/sandbox/scenarios/CallContract.ts"
import { PairsMarket } from "../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { StakedPoolsMarket } from "../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { isThorough } from "../support/Thorough.ts"
import { contractOf, paidBy, routesOver } from "./support/RoutesWorld.ts"

/** Repeatable numbers below a bound. */
const numbers = (seed: bigint) => {
  let state = seed
  return (below: number): number => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n)
    return Number((state >> 33n) % BigInt(below))
  }
}

interface World {
  readonly trader: Keypair
  readonly tokens: ReadonlyArray<xdr.ScAddress>
  readonly pools: ReadonlyArray<xdr.ScAddress>
  /** Whether pools receive gifts between trades. */
  readonly gives?: boolean
}

const made = (step: string, as: Keypair, { args, contract, function: fn }: ContractCall) =>
  callContract(step, { as, contract: addressOf(contract), fn, args })

/**
 * Makes random trades for good, with gifts to pools between them. Returns the counts of trades at the quoted price and of trades without a
 * route.
 */
const traded = Effect.fn("traded")(function*({ pools, tokens, trader, gives = true }: World, rounds: number) {
  const routes = yield* TokenRoutes
  const next = numbers(23n)
  const seen = { paid: 0, none: 0, shared: 0, legs: new Set<number>() }
  const pick = <A>(all: ReadonlyArray<A>): A => all[next(all.length)] ?? assert.fail("nothing to pick")
  for (let round = 0; round < rounds; round++) {
    const [sold, bought] = [pick(tokens), pick(tokens)]
    const sale = { from: contractOf(sold), to: contractOf(bought), amount: BigInt(next(1_000) + 1) * 10n ** BigInt(next(8)) }
    const route = (yield* routes.best([sale]))[0] ?? null
    if (route === null) {
      seen.none++
      continue
    }
    const { header } = (yield* (yield* Network).snapshot).state
    const call = route.call({
      user: AccountAddress.make(trader.publicKey()),
      least: route.amountOut,
      deadline: header.closeTime + 3_600n
    })
    assert.strictEqual(yield* paidBy(call, trader, sale.to), route.amountOut, JSON.stringify(route, (_, value) => `${value}`))
    seen.paid++
    seen.legs.add(route.pools.length)
    // The same direction, or the reverse.
    const [from, to] = round % 2 === 0 ? [sale.from, sale.to] : [sale.to, sale.from]
    const other = { from, to, amount: sale.amount / 3n + 1_000n }
    const [foreseen = null] = gives ? [] : yield* routes.best([{ ...other, behind: route.trades }])
    yield* made("the trade is made", trader, call)
    if (!gives) {
      const [now = null] = yield* routes.best([other])
      assert.deepStrictEqual([foreseen?.amountOut, foreseen?.pools], [now?.amountOut, now?.pools])
      if (now?.pools.some((pool) => route.pools.includes(pool)) === true) seen.shared++
    }
    if (gives && round % 3 === 0) {
      const args = [accountVal(trader), addressVal(pick(pools)), i128(BigInt(next(1_000_000)))]
      yield* callContract("a gift to a pool", { as: trader, contract: sold, fn: "transfer", args })
    }
  }
  return seen
})

it.live("a route through pairs pays what was quoted, whatever was traded and given before", () =>
  Effect.gen(function*() {
    const { pairs, provider, tokens } = yield* PairsMarket
    const seen = yield* traded({ trader: provider, tokens: Object.values(tokens), pools: Object.values(pairs) }, 40)
    assert.isAbove(seen.paid, 15)
    assert.isAbove(seen.none, 2)
    assert.deepStrictEqual([...seen.legs].toSorted(), [1, 2])
  }).pipe(Effect.provide(routesOver("amm_2"))))

it.live("so does one through pools of amm_1", () =>
  Effect.gen(function*() {
    const { constantProduct, eurc, native, provider, stable, usdc } = yield* Amm1Market
    const { passphrase } = yield* Network
    const tokens = [eurc, native, usdc].map((asset) => addressOf(asset.contractId(passphrase)))
    const seen = yield* traded({ trader: provider, tokens, pools: [constantProduct, stable] }, 30)
    assert.isAbove(seen.paid, 10)
    assert.deepStrictEqual([...seen.legs].toSorted(), [1, 2])
  }).pipe(Effect.provide(routesOver("amm_1"))))

it.live("and one through a pool of amm_3", () =>
  Effect.gen(function*() {
    const { five, issuer, native, pho, six, usdc } = yield* StakedPoolsMarket
    const { passphrase } = yield* Network
    // The provider receives the fees.
    const trader = Keypair.random()
    yield* fund("100000", trader)
    yield* perform("the trader trusts", { as: trader, operations: [pho, usdc].map((asset) => Operation.changeTrust({ asset })) })
    yield* perform("the issuer pays the trader", {
      as: issuer,
      operations: [pho, usdc].map((asset) => Operation.payment({ destination: trader.publicKey(), asset, amount: "100000" }))
    })
    const tokens = [native, pho, usdc].map((asset) => addressOf(asset.contractId(passphrase)))
    const seen = yield* traded({ trader, tokens, pools: [five.pool, six.pool] }, 30)
    assert.isAbove(seen.paid, 8)
  }).pipe(Effect.provide(routesOver("amm_3"))))

it.live.runIf(isThorough)("what a trade leaves is what was foreseen of it, in pools of every kind", () =>
  Effect.gen(function*() {
    const { pairs, provider, tokens } = yield* PairsMarket
    const seen = yield* traded({ trader: provider, tokens: Object.values(tokens), pools: Object.values(pairs), gives: false }, 40)
    assert.isAbove(seen.shared, 5)
  }).pipe(
    Effect.provide(routesOver("amm_2")),
    Effect.zipRight(
      Effect.gen(function*() {
        const market = yield* Amm1Market
        const { eurc, native, provider, usdc } = market
        const { passphrase } = yield* Network
        const { around } = rangesOf(passphrase, market)
        yield* depositInto(market, provider, around, [native, 50_000n * lumen], [usdc, 5_000n * lumen])
        const tokens = [eurc, native, usdc].map((asset) => addressOf(asset.contractId(passphrase)))
        const seen = yield* traded({ trader: provider, tokens, pools: [], gives: false }, 60)
        assert.isAbove(seen.shared, 10)
      }).pipe(Effect.provide(routesOver("amm_1")))
    ),
    Effect.zipRight(
      Effect.gen(function*() {
        const { issuer, native, pho, usdc } = yield* StakedPoolsMarket
        const { passphrase } = yield* Network
        const trader = Keypair.random()
        yield* fund("100000", trader)
        yield* perform("the trader trusts", { as: trader, operations: [pho, usdc].map((asset) => Operation.changeTrust({ asset })) })
        yield* perform("the issuer pays the trader", {
          as: issuer,
          operations: [pho, usdc].map((asset) => Operation.payment({ destination: trader.publicKey(), asset, amount: "100000" }))
        })
        const tokens = [native, pho, usdc].map((asset) => addressOf(asset.contractId(passphrase)))
        const seen = yield* traded({ trader, tokens, pools: [], gives: false }, 40)
        assert.isAbove(seen.shared, 5)
      }).pipe(Effect.provide(routesOver("amm_3")))
    )
  ))

import { assert, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { lumen } from "../../src/ledger/Asset.ts"
import { addressOf, addressVal, bool, i128 } from "../../src/ledger/soroban/Values.ts"
import { poolKeys } from "../../src/sandbox/contracts/Amm1.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { withInstanceValues } from "../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Market } from "../../src/sandbox/scenarios/Amm1Market.ts"
import { depositInto, rangesOf } from "../../src/sandbox/scenarios/Amm1Positions.ts"
import { accountVal, callContract } from "../../src/sandbox/scenarios/CallContract.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { contractOf, failureOf, paidBy, routesOver } from "./support/RoutesWorld.ts"

/** A market with an account that has 1,000 EURC and USDC. */
const equipped = Effect.gen(function*() {
  const market = yield* Amm1Market
  const { eurc, issuer, passphrase, usdc } = { ...market, ...(yield* Network) }
  const source = Keypair.random()
  yield* fund("5000", source)
  yield* perform("the account trusts the assets", {
    as: source,
    operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [usdc, eurc].map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "1000" }))
  })
  const token = (asset: typeof usdc) => addressOf(asset.contractId(passphrase))
  return { ...market, source, tokens: { lumens: token(market.native), usdc: token(usdc), eurc: token(eurc) } }
})

it.live("a token goes through a stable pool and one of constant product, and the call pays what the route says to the last unit", () =>
  Effect.gen(function*() {
    const { constantProduct, source, stable, tokens } = yield* equipped
    const routes = yield* TokenRoutes
    const [from, to, between] = [contractOf(tokens.eurc), contractOf(tokens.lumens), contractOf(tokens.usdc)]
    const user = AccountAddress.make(source.publicKey())
    const sales = [31n, 101n, 9_999_999n, 777_777_777n, 10_000_000_000n].flatMap((amount) => [
      { from, to, amount, pools: [stable, constantProduct] },
      { from: between, to: from, amount, pools: [stable] },
      { from: between, to, amount, pools: [constantProduct] }
    ])
    for (const [index, route] of (yield* routes.best(sales)).entries()) {
      const sale = sales[index] ?? assert.fail("a route too many")
      if (route === null) return assert.fail("no route")
      assert.deepStrictEqual([route.source, route.pools], ["amm_1", sale.pools.map(contractOf)])
      const call = route.call({ user, least: route.amountOut, deadline: 0n })
      assert.strictEqual(yield* paidBy(call, source, sale.to), route.amountOut)
      assert.match(yield* failureOf(route.call({ user, least: route.amountOut + 1n, deadline: 0n }), source), /2006/)
    }
  }).pipe(Effect.provide(routesOver("amm_1"))))

it.live("what others gave to a pool counts, as the pool counts it in its next trade", () =>
  Effect.gen(function*() {
    const { constantProduct, provider, source, stable, tokens } = yield* equipped
    const routes = yield* TokenRoutes
    const sale = { from: contractOf(tokens.eurc), to: contractOf(tokens.lumens), amount: 123_456_789n }
    const before = (yield* routes.best([sale]))[0] ?? null
    for (const [pool, token] of [[stable, tokens.eurc], [constantProduct, tokens.usdc]] as const) {
      yield* callContract("a gift to a pool", {
        as: provider,
        contract: token,
        fn: "transfer",
        args: [accountVal(provider), addressVal(pool), i128(5_000_000_000n)]
      })
    }
    const after = (yield* routes.best([sale]))[0] ?? null
    if (before === null || after === null) return assert.fail("no route")
    assert.isTrue(after.amountOut < before.amountOut)
    const call = after.call({ user: AccountAddress.make(source.publicKey()), least: 1n, deadline: 0n })
    assert.strictEqual(yield* paidBy(call, source, sale.to), after.amountOut)
  }).pipe(Effect.provide(routesOver("amm_1"))))

it.live("a token goes through the ticks of a concentrated pool to the last unit, in steps and at once, and not further than was read", () =>
  Effect.gen(function*() {
    const market = yield* equipped
    const { concentrated, constantProduct, native, provider, source, tokens, usdc } = market
    const { amend, passphrase } = yield* Network
    const routes = yield* TokenRoutes
    const user = AccountAddress.make(source.publicKey())
    yield* amend((state) =>
      withInstanceValues(state, constantProduct, (storage) => storage.set(poolKeys.swapKilled.toXdr("base64"), bool(true)))
    )
    const { around: [lower, upper], aside } = rangesOf(passphrase, market)
    const both = (lumens: bigint) => [[native, lumens * lumen], [usdc, (lumens * lumen) / 10n]] as const
    yield* depositInto(market, provider, [lower, upper], ...both(20_000n))
    yield* depositInto(market, provider, [lower + 1_140, upper - 1_080], ...both(500n))
    yield* depositInto(market, provider, aside, [native, 0n], [usdc, 300n * lumen])
    const [lumens, dollars] = [contractOf(tokens.lumens), contractOf(tokens.usdc)]
    const sales = [1n, 31n, 1_000_003n, 777_777_777n, 2_999_999_999n].flatMap((amount) => [
      { from: dollars, to: lumens, amount },
      { from: lumens, to: dollars, amount: amount * 4n }
    ])
    const seen = { paid: 0, none: 0 }
    for (let round = 0; round < 3; round++) {
      const found = yield* routes.best(sales)
      for (const [index, route] of found.entries()) {
        const sale = sales[index] ?? assert.fail("a route too many")
        if (route === null) {
          seen.none++
          continue
        }
        assert.deepStrictEqual(route.pools, [contractOf(concentrated)])
        const call = route.call({ user, least: route.amountOut, deadline: 0n })
        assert.strictEqual(yield* paidBy(call, source, sale.to), route.amountOut, `${sale.amount} of ${sale.from}`)
        seen.paid++
      }
      const big = found[round === 1 ? 9 : 6] ?? assert.fail("no route")
      assert.match(yield* failureOf(big.call({ user, least: big.amountOut + 1n, deadline: 0n }), source), /2006/)
      const { args, function: fn } = big.call({ user, least: big.amountOut, deadline: 0n })
      yield* callContract("a trade is made", { as: source, contract: market.router, fn, args })
    }
    // One unit buys less than one unit of a dearer token.
    assert.isAtLeast(seen.none, 1)
    assert.isAtLeast(seen.paid, 24)

    // The whole balance can be bought out, until deposits use ticks all the way.
    const all = { from: dollars, to: lumens, amount: 10n ** 14n }
    assert.isNotNull((yield* routes.best([all]))[0] ?? null)
    for (let far = 1; far <= 4; far++) {
      for (const side of [-1, 1]) {
        const at = lower + side * far * 4_800
        yield* depositInto(market, provider, [at, at + 960], [native, 100n], [usdc, 100n])
      }
    }
    const [stranded, near] = yield* routes.best([all, { ...all, amount: 1_000_000_000n }])
    assert.isNull(stranded)
    assert.strictEqual(
      yield* paidBy((near ?? assert.fail("no route")).call({ user, least: 1n, deadline: 0n }), source, lumens),
      near?.amountOut
    )
  }).pipe(Effect.provide(routesOver("amm_1"))))

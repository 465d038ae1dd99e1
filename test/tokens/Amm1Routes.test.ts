import { assert, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { addressOf, addressVal, i128 } from "../../src/ledger/soroban/Values.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { Amm1Market } from "../../src/sandbox/scenarios/Amm1Market.ts"
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

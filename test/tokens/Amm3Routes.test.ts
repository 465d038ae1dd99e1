import { assert, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { addressOf } from "../../src/ledger/soroban/Values.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { StakedPoolsMarket } from "../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { contractOf, failureOf, paidBy, routesOver } from "./support/RoutesWorld.ts"

/** A market with an account that has 100,000 USDC and PHO. */
const equipped = Effect.gen(function*() {
  const market = yield* StakedPoolsMarket
  const { issuer, passphrase, pho, usdc } = { ...market, ...(yield* Network) }
  const source = Keypair.random()
  yield* fund("5000", source)
  yield* perform("the account trusts the assets", {
    as: source,
    operations: [usdc, pho].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [usdc, pho].map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "100000" }))
  })
  const token = (asset: typeof usdc) => contractOf(addressOf(asset.contractId(passphrase)))
  return { ...market, source, tokens: { lumens: token(market.native), usdc: token(usdc), pho: token(pho) } }
})

it.live("pools of both generations trade alone, and the call pays what the route says to the last unit", () =>
  Effect.gen(function*() {
    const { five, six, source, tokens } = yield* equipped
    const routes = yield* TokenRoutes
    const user = AccountAddress.make(source.publicKey())
    const { header } = (yield* (yield* Network).snapshot).state
    const deadline = header.closeTime + 300n
    const sales = [1_000n, 99_999n, 123_456_789n, 20_000_000_000n].flatMap((amount) => [
      { from: tokens.usdc, to: tokens.lumens, amount, pool: five, minimum: /#21\b/, late: /#22\b/ },
      { from: tokens.pho, to: tokens.usdc, amount, pool: six, minimum: /#320\b/, late: /#321\b/ },
      { from: tokens.usdc, to: tokens.pho, amount, pool: six, minimum: /#320\b/, late: /#321\b/ }
    ])
    for (const [index, route] of (yield* routes.best(sales)).entries()) {
      const sale = sales[index] ?? assert.fail("a route too many")
      if (route === null) return assert.fail("no route")
      assert.deepStrictEqual([route.source, route.pools, route.through], ["amm_3", [contractOf(sale.pool.pool)], []])
      const call = route.call({ user, least: route.amountOut, deadline })
      assert.strictEqual(yield* paidBy(call, source, sale.to), route.amountOut)
      assert.match(yield* failureOf(route.call({ user, least: route.amountOut + 1n, deadline }), source), sale.minimum)
      assert.match(yield* failureOf(route.call({ user, least: 1n, deadline: header.closeTime - 1n }), source), sale.late)
    }
  }).pipe(Effect.provide(routesOver("amm_3"))))

it.live("a trade that moves the price further than the pool allows has no route, nor one that several pools would have to carry", () =>
  Effect.gen(function*() {
    const { tokens } = yield* equipped
    const routes = yield* TokenRoutes
    assert.deepStrictEqual(
      yield* routes.best([
        // More than a twentieth of the reserve.
        { from: tokens.usdc, to: tokens.lumens, amount: 60_000_000_000n },
        { from: tokens.pho, to: tokens.lumens, amount: 1_000_000n }
      ]),
      [null, null]
    )
  }).pipe(Effect.provide(routesOver("amm_3"))))

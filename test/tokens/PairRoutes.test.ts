import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { swapInPair } from "../../src/sandbox/scenarios/PairsMarket.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { contractOf, failureOf, paidBy, routesOver } from "./support/RoutesWorld.ts"

const inAnHour = Effect.gen(function*() {
  return (yield* (yield* Network).snapshot).state.header.closeTime + 3_600n
})

it.effect("a plain token reaches lumens through its pairs, and the call pays what the route says to the last unit", () =>
  Effect.gen(function*() {
    const { pairs, source, tokens } = yield* PairsNewcomer
    const routes = yield* TokenRoutes
    const [from, to] = [contractOf(tokens.plain), contractOf(tokens.lumens)]
    const deadline = yield* inAnHour
    const amounts = [2n, 7n, 1_000n, 999_983n, 100_000_000n]
    const found = yield* routes.best(amounts.map((amount) => ({ from, to, amount })))
    const { header } = (yield* (yield* Network).snapshot).state
    for (const [index, route] of found.entries()) {
      if (route === null) return assert.fail("no route")
      assert.deepStrictEqual(
        [route.source, route.from, route.to, route.amountIn, route.ledger],
        ["amm_2", from, to, amounts[index], header.ledgerSeq]
      )
      assert.deepStrictEqual(route.through, [contractOf(tokens.usdc)])
      assert.deepStrictEqual(route.pools, [pairs.plainUsdc, pairs.lumensUsdc].map(contractOf))
      const user = AccountAddress.make(source.publicKey())
      const call = route.call({ user, least: route.amountOut, deadline })
      assert.strictEqual(yield* paidBy(call, source, to), route.amountOut)
      assert.deepStrictEqual(call.payouts, [{ token: to, expected: route.amountOut }])
      assert.deepStrictEqual(call.holds, [{ token: from, amount: route.amountIn }])
      assert.match(yield* failureOf(route.call({ user, least: route.amountOut + 1n, deadline }), source), /507/)
      assert.match(yield* failureOf(route.call({ user, least: 1n, deadline: header.closeTime }), source), /503/)
    }
  }).pipe(Effect.provide(routesOver("amm_2"))))

it.effect("a route follows the reserves from ledger to ledger, leaves out what it is told to, and there is none where nothing trades", () =>
  Effect.gen(function*() {
    const { pairs, provider, source, tokens } = yield* PairsNewcomer
    const routes = yield* TokenRoutes
    const [from, to] = [contractOf(tokens.eurc), contractOf(tokens.lumens)]
    const sale = { from, to, amount: 12_345_678n }
    const before = (yield* routes.best([sale]))[0] ?? null
    yield* swapInPair("somebody buys lumens", provider, { token: tokens.usdc, amount: 1_000_000_000n }, tokens.lumens)
    const after = (yield* routes.best([sale]))[0] ?? null
    if (before === null || after === null) return assert.fail("no route")
    assert.isTrue(after.amountOut < before.amountOut && after.ledger > before.ledger)
    const call = after.call({ user: AccountAddress.make(source.publicKey()), least: 1n, deadline: yield* inAnHour })
    assert.strictEqual(yield* paidBy(call, source, to), after.amountOut)
    assert.deepStrictEqual(
      yield* routes.best([
        { ...sale, without: [contractOf(pairs.usdcEurc)] },
        { ...sale, without: [contractOf(tokens.usdc)] },
        { ...sale, to: from },
        { ...sale, from: contractOf(pairs.usdcEurc) },
        { ...sale, amount: 0n },
        // The fee is rounded up, and takes all of it.
        { ...sale, amount: 1n }
      ]),
      [null, null, null, null, null, null]
    )
  }).pipe(Effect.provide(routesOver("amm_2"))))

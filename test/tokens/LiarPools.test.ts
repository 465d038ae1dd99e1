import { assert, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { addressOf, addressVal, bool, i128, string, symbol } from "../../src/ledger/soroban/Values.ts"
import { poolKeys, stablePoolHash } from "../../src/sandbox/contracts/Amm1.ts"
import { pairInstanceKeys } from "../../src/sandbox/contracts/Amm2.ts"
import { contractEntries, dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { exampleTokenHash, exampleTokenTraits } from "../../src/sandbox/contracts/ExampleToken.ts"
import { tokenBalanceKey, tokenStorage } from "../../src/sandbox/contracts/Token.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { withInstanceValues } from "../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Market } from "../../src/sandbox/scenarios/Amm1Market.ts"
import { numberedToken } from "../../src/sandbox/scenarios/PairsContracts.ts"
import { addLiquidity, pairOf } from "../../src/sandbox/scenarios/PairsMarket.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { keyOfInstance } from "../../src/xdr/LedgerKeys.ts"
import { contractOf, failureOf, paidBy, routesOver } from "./support/RoutesWorld.ts"

const far = 4_000_000_000n

/** A stranger's token, with a large balance for the stranger. */
const strangersToken = (number: number, holder: Keypair) =>
  Effect.flatMap(Network, ({ amend }) => {
    const token = numberedToken(number)
    const owner = addressOf(holder.publicKey())
    const storage = tokenStorage(exampleTokenTraits, { admin: owner, decimals: 7, name: string("Gift"), symbol: string("GIFT") })
    return Effect.as(
      amend((state) =>
        state.set([
          ...contractEntries(token, exampleTokenHash, storage, state.header.ledgerSeq + 1_000_000),
          ...dataEntries(token, [tokenBalanceKey(owner), i128(10n ** 18n)], "persistent", state.header.ledgerSeq + 1_000_000)
        ])
      ),
      token
    )
  })

it.live("a pair that pays best and then does not pay costs a refusal, and the next best way is found without it", () =>
  Effect.gen(function*() {
    const { pairs, provider, source, tokens } = yield* PairsNewcomer
    const routes = yield* TokenRoutes
    const gift = yield* strangersToken(7, provider)
    yield* addLiquidity("a stranger pays well for plain tokens", provider, { token: tokens.plain, amount: 1_000_000_000n }, {
      token: gift,
      amount: 1_000_000_000_000n
    })
    yield* addLiquidity("and well for their own", provider, { token: gift, amount: 1_000_000_000_000n }, {
      token: tokens.lumens,
      amount: 1_000_000_000_000n
    })
    const sale = { from: contractOf(tokens.plain), to: contractOf(tokens.lumens), amount: 1_000_000n }
    const user = AccountAddress.make(source.publicKey())
    const tempting = (yield* routes.best([sale]))[0] ?? assert.fail("no route")
    assert.deepStrictEqual(tempting.through, [contractOf(gift)])
    assert.strictEqual(yield* paidBy(tempting.call({ user, least: 1n, deadline: far }), source, sale.to), tempting.amountOut)
    // The stranger's token is gone, and every route through it fails.
    const { amend } = yield* Network
    yield* amend((state) => state.delete([keyOfInstance(gift)]))
    const failing = (yield* routes.best([sale]))[0] ?? assert.fail("no route")
    yield* failureOf(failing.call({ user, least: 1n, deadline: far }), source)
    const honest = (yield* routes.best([{ ...sale, without: failing.through }]))[0] ?? assert.fail("no route")
    assert.deepStrictEqual(honest.pools, [pairs.plainUsdc, pairs.lumensUsdc].map(contractOf))
    assert.strictEqual(yield* paidBy(honest.call({ user, least: honest.amountOut, deadline: far }), source, sale.to), honest.amountOut)
  }).pipe(Effect.provide(routesOver("amm_2"))))

it.live("a pair that says what no pair says is left out, and takes no other with it", () =>
  Effect.gen(function*() {
    const { pairs, provider, tokens } = yield* PairsNewcomer
    const { amend } = yield* Network
    const routes = yield* TokenRoutes
    const sale = { from: contractOf(tokens.plain), to: contractOf(tokens.lumens), amount: 1_000_000n }
    yield* addLiquidity("a pair of plain tokens and lumens", provider, { token: tokens.plain, amount: 1_000_000_000n }, {
      token: tokens.lumens,
      amount: 2_000_000_000_000n
    })
    const liar = yield* pairOf(tokens.plain, tokens.lumens)
    const best = Effect.map(routes.best([sale]), ([route]) => route?.pools)
    assert.deepStrictEqual(yield* best, [contractOf(liar)])
    const honest = [pairs.plainUsdc, pairs.lumensUsdc].map(contractOf)
    const lies: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> = [
      [pairInstanceKeys.reserves[0], symbol("plenty")],
      [pairInstanceKeys.reserves[1], i128(-1n)],
      [pairInstanceKeys.tokens[0], addressVal(tokens.usdc)],
      [pairInstanceKeys.factory, addressVal(liar)],
      [pairInstanceKeys.reserves[0], i128(0n)],
      [pairInstanceKeys.reserves[0], i128((1n << 127n) - 1n)]
    ]
    for (const [key, val] of lies) {
      const before = (yield* (yield* Network).snapshot).state.get(keyOfInstance(liar)) ?? assert.fail("no pair")
      yield* amend((state) => withInstanceValues(state, liar, (storage) => storage.set(key.toXdr("base64"), val)))
      assert.deepStrictEqual(yield* best, honest)
      yield* amend((state) => state.set([before]))
    }
    // Unlisted code, though it may declare any interface.
    yield* amend((state) => state.set(contractEntries(liar, stablePoolHash, [], state.header.ledgerSeq + 1_000_000)))
    assert.deepStrictEqual(yield* best, honest)
    yield* amend((state) => state.delete([keyOfInstance(liar)]))
    assert.deepStrictEqual(yield* best, honest)
  }).pipe(Effect.provide(routesOver("amm_2"))))

it.live("a pool of amm_1 whose trade is switched off is left out", () =>
  Effect.gen(function*() {
    const { concentrated, constantProduct, native, usdc } = yield* Amm1Market
    const { amend, passphrase } = yield* Network
    const routes = yield* TokenRoutes
    const token = (asset: typeof usdc) => contractOf(addressOf(asset.contractId(passphrase)))
    const sale = { from: token(usdc), to: token(native), amount: 1_000_000n }
    assert.isNotNull((yield* routes.best([sale]))[0] ?? null)
    const closes = (pool: xdr.ScAddress) =>
      amend((state) => withInstanceValues(state, pool, (storage) => storage.set(poolKeys.swapKilled.toXdr("base64"), bool(true))))
    yield* closes(constantProduct)
    assert.deepStrictEqual((yield* routes.best([sale]))[0]?.pools, [contractOf(concentrated)])
    yield* closes(concentrated)
    assert.deepStrictEqual(yield* routes.best([sale]), [null])
  }).pipe(Effect.provide(routesOver("amm_1"))))

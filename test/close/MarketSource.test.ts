import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { MarketSource } from "../../src/close/market/MarketSource.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"

const usd = AssetId.make(`USD:${Keypair.random().publicKey()}`)

describe("what two requests want to know of a market", () => {
  it.effect("is asked once where one of them has learned it before it is the other's turn, and is kept for a third", () =>
    Effect.gen(function*() {
      let asked = 0
      const api = Layer.mock(LedgerApi, {
        absent: null,
        strictSendPaths: (source, sourceAmount) =>
          Effect.sync(() => {
            asked += 1
            return [{ source, sourceAmount, destinationAmount: stroops(7n), path: [], latestLedger: 9 }]
          })
      })
      const { open } = yield* Effect.provide(MarketSource, Layer.provide(MarketSource.layer, api))
      const [first, second] = [yield* open("plan"), yield* open("plan")]
      assert.isNull(first.cached?.strictSendPaths(usd, stroops(5n), native))
      const told = yield* first.strictSendPaths(usd, stroops(5n), native)
      assert.deepStrictEqual(yield* second.strictSendPaths(usd, stroops(5n), native), told)
      assert.strictEqual(asked, 1)
      assert.deepStrictEqual((yield* open("plan")).cached?.strictSendPaths(usd, stroops(5n), native), told)
      assert.strictEqual(asked, 1)
    }))
})

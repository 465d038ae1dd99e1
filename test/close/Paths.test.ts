import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { ConversionPath } from "../../src/domain/ConversionPath.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { Service } from "./support/Service.ts"

interface Found {
  readonly path: Schema.Schema.Encoded<typeof ConversionPath> | null
}

const query = (fields: Readonly<Record<string, string>>) => `/testnet/paths?${new URLSearchParams(fields)}`

const found = (fields: Readonly<Record<string, string>>) =>
  Effect.flatMap(Service, ({ call }) => call<Found>("GET", query(fields))).pipe(
    Effect.map(({ body, status }) => ({ status, path: body.path }))
  )

const code = (fields: Readonly<Record<string, string>>) =>
  Effect.flatMap(Service, ({ call }) => call<ErrorBody>("GET", query(fields))).pipe(
    Effect.map(({ body, status }) => [status, body.error.code])
  )

layer(Service.layer(), { excludeTestServices: true })("a conversion path", (it) => {
  it.effect("has the estimate of the search and a floor below it by the slippage", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { assets: { booked, pooled, stranded } } = yield* on(DemoAccount)
      const { header } = (yield* on(Effect.flatMap(Network, ({ snapshot }) => snapshot))).state
      const fromAsset = `${booked.getCode()}:${booked.getIssuer()}`
      const { path, status } = yield* found({ fromAsset, amount: "100" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(path, {
        fromAsset,
        toAsset: "native",
        path: [],
        estimatedReceive: "250.0000000",
        destMin: "248.7500000",
        source: "book",
        ledger: header.ledgerSeq
      })
      const pool = yield* found({ fromAsset: `${pooled.getCode()}:${pooled.getIssuer()}`, amount: "1" })
      assert.deepStrictEqual([pool.path?.source, pool.path?.path], ["pool", []])
      const wide = yield* found({ fromAsset, amount: "100", maxSlippageBps: "5000" })
      assert.strictEqual(wide.path?.destMin, "125.0000000")
      const none = yield* found({ fromAsset: `${stranded.getCode()}:${stranded.getIssuer()}`, amount: "1" })
      assert.deepStrictEqual(none, { status: 200, path: null })
      const dust = yield* found({ fromAsset, amount: "0.0000001", maxSlippageBps: "5000" })
      assert.deepStrictEqual([dust.path?.destMin ?? null], ["0.0000001"])
    }))

  it.effect("of lumens is none, and bad values have their codes", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found({ fromAsset: "native", amount: "1" }), { status: 200, path: null })
      const asset = `USD:${Keypair.random().publicKey()}`
      assert.deepStrictEqual(yield* code({}), [400, "missing_parameters"])
      assert.deepStrictEqual(yield* code({ fromAsset: asset }), [400, "missing_parameters"])
      assert.deepStrictEqual(yield* code({ fromAsset: "USD", amount: "1" }), [400, "invalid_asset"])
      assert.deepStrictEqual(yield* code({ fromAsset: asset, amount: "0" }), [400, "invalid_amount"])
      assert.deepStrictEqual(yield* code({ fromAsset: asset, amount: "1", maxSlippageBps: "5001" }), [400, "invalid_slippage"])
    }))
})

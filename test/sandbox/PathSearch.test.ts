import { assert, it } from "@effect/vitest"
import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { showAmount } from "../../src/sandbox/DecimalAmount.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { get, startWithClients } from "./Clients.ts"

const Records = Schema.parseJson(
  Schema.Struct({
    _embedded: Schema.Struct({
      records: Schema.Array(
        Schema.Struct({
          source_amount: Schema.String,
          destination_amount: Schema.String,
          path: Schema.Array(Schema.Struct({ asset_type: Schema.String, asset_code: Schema.optional(Schema.String) }))
        })
      )
    })
  })
)

const received = (record: { readonly applied: { readonly result: xdr.TransactionResult } }): bigint | undefined => {
  const { result } = record.applied.result
  const [first] = result.type === "txSuccess" ? result.results : []
  return first?.type === "opInner" && first.tr.type === "pathPaymentStrictSend" &&
      first.tr.pathPaymentStrictSendResult.type === "pathPaymentStrictSendSuccess"
    ? first.tr.pathPaymentStrictSendResult.success.last.amount
    : undefined
}

const stroops = (text: string): bigint => BigInt(text.replace(".", ""))

it.scopedLive("promises exactly what a path payment then delivers, through the book and through the pool", () =>
  Effect.gen(function*() {
    const { ledgerApi, on } = yield* startWithClients()
    const demo = yield* on(DemoAccount)
    const trader = Keypair.random()
    yield* on(fund("50", trader))
    yield* on(perform("trust", {
      as: trader,
      operations: [Operation.changeTrust({ asset: demo.assets.booked }), Operation.changeTrust({ asset: demo.assets.pooled })]
    }))
    for (const [asset, amount] of [[demo.assets.booked, "1900.1234567"], [demo.assets.pooled, "77.7654321"]] as const) {
      yield* on(perform("pay out", {
        as: demo.issuer,
        operations: [Operation.payment({ destination: trader.publicKey(), asset, amount })]
      }))
      const { records } = yield* Effect.promise(() => ledgerApi.strictSendPaths(asset, amount, [Asset.native()]).call())
      const [best] = records
      assert.isDefined(best)
      assert.strictEqual(best?.source_amount, amount)
      const done = yield* on(perform("convert", {
        as: trader,
        operations: [
          Operation.pathPaymentStrictSend({
            sendAsset: asset,
            sendAmount: amount,
            destination: trader.publicKey(),
            destAsset: Asset.native(),
            destMin: best?.destination_amount ?? "0",
            path: best?.path.map((hop) => hop.asset_type === "native" ? Asset.native() : new Asset(hop.asset_code, hop.asset_issuer)) ?? []
          })
        ]
      }))
      assert.strictEqual(received(done), stroops(best?.destination_amount ?? "0"))
    }
  }))

it.scopedLive("finds ways over other assets, the best first, and none for an asset without a market", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { assets, issuer, source } = yield* on(DemoAccount)
    const over = yield* Effect.promise(() => ledgerApi.strictSendPaths(assets.pooled, "10", [assets.booked]).call())
    assert.deepStrictEqual(over.records.map(({ path }) => path.map(({ asset_type }) => asset_type)), [["native"]])
    const none = yield* Effect.promise(() => ledgerApi.strictSendPaths(assets.stranded, "12", [Asset.native()]).call())
    assert.deepStrictEqual(none.records, [])
    const tooMuch = yield* Effect.promise(() => ledgerApi.strictSendPaths(assets.booked, "100000", [Asset.native()]).call())
    assert.deepStrictEqual(tooMuch.records, [])
    const toAccount = yield* Effect.promise(() => ledgerApi.strictSendPaths(assets.booked, "1", source.publicKey()).call())
    assert.deepStrictEqual(
      toAccount.records.map(({ destination_asset_code, destination_asset_type }) => destination_asset_code ?? destination_asset_type),
      [assets.pooled.getCode(), "native"]
    )
    const raw = yield* get(
      `${ledgerApiUrl}/paths/strict-send?source_asset_type=native&source_amount=1&destination_assets=${assets.booked.getCode()}:${issuer.publicKey()},native`
    )
    assert.lengthOf(Schema.decodeSync(Records)(raw.text)._embedded.records, 1)
    for (const query of ["", "&destination_assets=native", "&source_amount=1", "&source_amount=0&destination_assets=native"]) {
      const answer = yield* get(`${ledgerApiUrl}/paths/strict-send?source_asset_type=native${query}`)
      assert.strictEqual(answer.status, 400, query)
    }
  }))

it.scopedLive("tells the least that buys an amount: a stroop less does not", () =>
  Effect.gen(function*() {
    const { ledgerApi, on } = yield* startWithClients()
    const { assets, issuer, source } = yield* on(DemoAccount)
    const trader = Keypair.random()
    yield* on(fund("50", trader))
    yield* on(perform("trust", {
      as: trader,
      operations: [Operation.changeTrust({ asset: assets.booked }), Operation.changeTrust({ asset: assets.pooled })]
    }))
    yield* on(perform("pay out", {
      as: issuer,
      operations: [Operation.payment({ destination: trader.publicKey(), asset: assets.pooled, amount: "100" })]
    }))
    const { records } = yield* Effect.promise(() =>
      ledgerApi.strictReceivePaths([Asset.native(), assets.pooled], assets.booked, "10").call()
    )
    assert.deepStrictEqual(records.map(({ destination_amount, source_asset_type }) => [source_asset_type, destination_amount]), [
      ["credit_alphanum4", "10.0000000"],
      ["native", "10.0000000"]
    ])
    const [overPool, native] = records
    assert.strictEqual(native?.source_amount, "25.5000000")
    const buy = (sendMax: bigint) =>
      on(perform("buy", {
        as: trader,
        operations: [
          Operation.pathPaymentStrictReceive({
            sendAsset: assets.pooled,
            sendMax: showAmount(sendMax),
            destination: trader.publicKey(),
            destAsset: assets.booked,
            destAmount: "10",
            path: [Asset.native()]
          })
        ]
      }))
    const least = stroops(overPool?.source_amount ?? "0")
    const refused = yield* Effect.flip(buy(least - 1n))
    assert.include(refused.reason, "op_over_source_max")
    yield* buy(least)
    const affordable = yield* Effect.promise(() => ledgerApi.strictReceivePaths(source.publicKey(), assets.booked, "10").call())
    assert.lengthOf(affordable.records, 2)
    const poor = yield* Effect.promise(() => ledgerApi.strictReceivePaths(source.publicKey(), assets.booked, "900").call())
    assert.deepStrictEqual(poor.records, [])
  }))

import { assert, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../../src/sandbox/Network.ts"
import { strictSendRoutes } from "../../../src/sandbox/PathSearch.ts"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"

it.effect("fails loudly when a step does", () =>
  Effect.gen(function*() {
    const { source } = yield* FundedPair
    const merge = { as: source, operations: [Operation.accountMerge({ destination: Keypair.random().publicKey() })] }
    const failed = yield* Effect.flip(perform("merge", merge))
    assert.strictEqual(
      failed.message,
      "the scenario's step \"merge\" failed: {\"transaction\":\"tx_failed\",\"operations\":[\"op_no_account\"]}"
    )
    const unsigned = yield* Effect.flip(perform("merge", { ...merge, signedBy: [Keypair.random()] }))
    assert.include(unsigned.reason, "tx_bad_auth")
  }).pipe(Effect.provide(Network.layer())))

it.effect("runs on a network that closes ledgers only on demand", () =>
  Effect.gen(function*() {
    const { source } = yield* DemoAccount
    const { history } = yield* Effect.flatMap(Network, ({ snapshot }) => snapshot)
    assert.isAbove(history.latest.sequence, 5)
    assert.isTrue(source.canSign())
  }).pipe(Effect.provide(Network.layer({ closeOnSubmit: false }))))

it.effect("gives the demo account markets deep enough for what it holds, and one asset without any", () =>
  Effect.gen(function*() {
    const { assets } = yield* DemoAccount
    const { state } = yield* Effect.flatMap(Network, ({ snapshot }) => snapshot)
    const lumens = (asset: Asset, amount: bigint) =>
      strictSendRoutes(state, asset.toXdrObject(), amount, [Asset.native().toXdrObject()]).map(({ destinationAmount }) => destinationAmount)
    assert.deepStrictEqual(lumens(assets.booked, 2_505_000_000n), [6_262_500_000n])
    // 80.25 into a pool of 10,000 against 20,000 lumens at 30 basis points.
    assert.deepStrictEqual(lumens(assets.pooled, 802_500_000n), [1_587_483_662n])
    assert.deepStrictEqual(lumens(assets.stranded, 120_000_000n), [])
  }).pipe(Effect.provide(Network.layer())))

it.effect("leaves the demo account's master key the power to do everything alone", () =>
  Effect.gen(function*() {
    const { source } = yield* DemoAccount
    yield* perform("a change of thresholds", { as: source, operations: [Operation.setOptions({ highThreshold: 2 })] })
  }).pipe(Effect.provide(Network.layer())))

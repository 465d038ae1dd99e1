import type { HttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { freshReader, sandbox } from "./support/Endpoints.ts"
import { addressOf, isRpc, soon } from "./support/World.ts"

/** A reader whose contract RPC stays at the current ledger. */
const stuckReader = Effect.gen(function*() {
  const network = yield* Network
  const then = yield* network.snapshot
  const old = Context.get(yield* Layer.build(Layer.succeed(Network, { ...network, snapshot: Effect.succeed(then) })), Network)
  const stuck: HttpClient.HttpClient = yield* Effect.provideService(inMemoryTransport, Network, old)
  return Context.get(yield* freshReader(false, (request, send) => (isRpc(request) ? stuck.execute(request) : send)), AccountReader)
})

describe("a contract RPC behind the ledger API", () => {
  it.scoped("leaves what it has not reached to the ledger API, with warnings", () =>
    Effect.gen(function*() {
      const { destination: issuer, source } = yield* FundedPair
      const reader = yield* stuckReader
      const asset = new Asset("USD", issuer.publicKey())
      yield* perform("everything", {
        as: source,
        operations: [
          Operation.changeTrust({ asset, limit: "77" }),
          Operation.changeTrust({ asset: new LiquidityPoolAsset(Asset.native(), asset, 30) }),
          Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "2", price: "3" }),
          Operation.manageData({ name: "note", value: "x" })
        ]
      })
      yield* perform("a balance", {
        as: issuer,
        operations: [Operation.createClaimableBalance({ asset, amount: "5", claimants: [new Claimant(source.publicKey())] })]
      })
      const { entries, ledgers, state, unconfirmed, unconfirmedClaims } = yield* soon(reader.read(addressOf(source), []))
      const id = AssetId.make(`USD:${issuer.publicKey()}`)
      assert.deepStrictEqual(
        state.trustlines.map(({ asset, authorized, balance, limit }) => [asset, authorized, balance, limit]),
        [[id, true, stroops(0n), stroops(770_000_000n)]]
      )
      assert.deepStrictEqual(state.openOffers.map(({ amount, buying, price, selling }) => [selling, buying, amount, price]), [
        ["native", id, stroops(20_000_000n), "3.0000000"]
      ])
      assert.deepStrictEqual(state.dataEntries, [{ key: "note", value: Buffer.from("x").toString("base64") }])
      assert.strictEqual(state.poolShares.length, 1)
      assert.deepStrictEqual(state.claimableBalances.map(({ amount, asset, claimants }) => [asset, amount, claimants]), [
        [id, stroops(50_000_000n), [{ destination: addressOf(source), predicate: { type: "unconditional" }, claimable: true }]]
      ])
      assert.strictEqual(entries.length, 1, "what is not confirmed is for nobody to build on")
      assert.strictEqual(unconfirmed, 6, "the line, the share and its pool, the offer, the data entry, the balance")
      assert.deepStrictEqual([...unconfirmedClaims], state.claimableBalances.map(({ id }) => [id, ledgers.confirmed.newest]))
      assert.deepStrictEqual(
        state.warnings.map(({ code, subject }) => [code, subject]),
        [
          ["straddled_read", undefined],
          ["source_lagging", undefined],
          ["balance_unconfirmed", id],
          ["balance_unconfirmed", undefined],
          ["balance_unconfirmed", undefined],
          ["balance_unconfirmed", undefined],
          ["balance_unconfirmed", undefined]
        ]
      )
    }).pipe(Effect.provide(sandbox())))

  it.scoped("shows a claimable balance that nothing else gives away", () =>
    Effect.gen(function*() {
      const { destination: other, source } = yield* FundedPair
      const reader = yield* stuckReader
      const operations = [
        Operation.createClaimableBalance({ asset: Asset.native(), amount: "5", claimants: [new Claimant(source.publicKey())] })
      ]
      yield* perform("a balance", { as: other, operations })
      const { state } = yield* soon(reader.read(addressOf(source), []))
      assert.strictEqual(state.claimableBalances.length, 1)
      assert.deepStrictEqual(state.warnings.map(({ code }) => code), ["balance_unconfirmed"])
    }).pipe(Effect.provide(sandbox())))

  it.scoped("is unavailable, not without the account, for an account that is younger than its ledger", () =>
    Effect.gen(function*() {
      const reader = yield* stuckReader
      const young = Keypair.random()
      yield* fund("10", young)
      assert.strictEqual((yield* Effect.flip(soon(reader.read(addressOf(young), []))))._tag, "NetworkUnavailable")
    }).pipe(Effect.provide(sandbox())))

  it.scoped("is believed about an account that neither knows", () =>
    Effect.gen(function*() {
      const reader = yield* stuckReader
      assert.strictEqual((yield* Effect.flip(soon(reader.read(addressOf(Keypair.random()), []))))._tag, "AccountNotFound")
    }).pipe(Effect.provide(sandbox())))
})

import { assert } from "@effect/vitest"
import { Asset, Claimant, getLiquidityPoolId, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

/** A holder of ten units on a trustline with room for this much more, and claimable gifts of these amounts. The issuer is gone. */
const Orphaned = (room: number, ...gifts: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { destination, source } = yield* Pair()
    const giver = Keypair.random()
    yield* fund("100", giver)
    const { asset, issuer } = yield* Issued("GONE", [source, "10"], [giver, "100"])
    yield* Buyer(asset, "100", "2")
    yield* perform("the line is bounded", { as: source, operations: [Operation.changeTrust({ asset, limit: String(10 + room) })] })
    yield* perform("gifts", {
      as: giver,
      operations: gifts.map((amount) => Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(source.publicKey())] }))
    })
    yield* perform("the issuer leaves", { as: issuer, operations: [Operation.accountMerge({ destination: giver.publicKey() })] })
    return { destination, source, request: { source: source.publicKey(), destination: destination.publicKey() } }
  })

/** An account with shares in a pool of lumens and an asset whose trustline is full. */
const FullPoolHolder = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const maker = Keypair.random()
  yield* fund("1000", maker)
  const { asset, issuer } = yield* Issued("POOLED", [source, "60"], [maker, "500"])
  const pool = new LiquidityPoolAsset(Asset.native(), asset, 30)
  const liquidityPoolId = Buffer.from(getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())).toString("hex")
  const deposit = (maxAmountA: string, maxAmountB: string) => [
    Operation.changeTrust({ asset: pool }),
    Operation.liquidityPoolDeposit({ liquidityPoolId, maxAmountA, maxAmountB, minPrice: "0.1", maxPrice: "10" })
  ]
  yield* perform("the maker deposits", { as: maker, operations: deposit("500", "400") })
  yield* perform("the account deposits", { as: source, operations: deposit("50", "40") })
  yield* perform("the line is bounded", { as: source, operations: [Operation.changeTrust({ asset, limit: "20" })] })
  return { destination, issuer, source, request: { source: source.publicKey(), destination: destination.publicKey() } }
})

layer(Service.layer(), { excludeTestServices: true })("claims onto a full line whose issuer is gone", (it) => {
  it.effect("are made one after the other, each once there is room for it", () =>
    Effect.gen(function*() {
      for (const [room, ...gifts] of [[0, "5"], [8, "7", "6"]] as const) {
        const { destination, request, source } = yield* (yield* Service).on(Orphaned(room, ...gifts))
        const claims = (yield* plan(request)).decisionPoints.filter(({ type }) => type === "claim")
        assert.deepStrictEqual(claims.map(({ options }) => options.map(({ id }) => id)), gifts.map(() => ["claim", "forfeit"]))
        const { plan: ready, received } = yield* closeThrough({
          source,
          destination,
          wished: ["i_control_this_address", "claim", "convert_to_native"]
        })
        assert.strictEqual(ready.projection.status, "verified")
        assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      }
    }))

  it.effect("are not offered where they never fit, and everything else closes", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* (yield* Service).on(Orphaned(0, "11"))
      const claims = (yield* plan(request)).decisionPoints.filter(({ type }) => type === "claim")
      assert.deepStrictEqual(claims.map(({ options }) => options.map(({ id }) => id)), [["forfeit"]])
      assert.include(claims[0]?.options[0]?.note ?? "", "The issuer no longer exists")
      const { plan: ready } = yield* closeThrough({ source, destination })
      assert.strictEqual(ready.projection.status, "verified")
    }))
})

layer(Service.layer(), { excludeTestServices: true })("pool shares whose asset has no room on its line", (it) => {
  it.effect("come back all the same: the limit is raised first", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(FullPoolHolder)
      const { plan: ready, received } = yield* closeThrough({ source, destination, wished: ["i_control_this_address", "return_to_issuer"] })
      assert.include(ready.steps.map(({ type }) => type), "ADD_TRUSTLINE")
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.isTrue(received > 99_0000000n)
    }))

  it.effect("are blocked where the issuer is gone: no way round is projected as if it were one", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, issuer, request } = yield* on(FullPoolHolder)
      yield* on(
        perform("the issuer leaves", { as: issuer, operations: [Operation.accountMerge({ destination: destination.publicKey() })] })
      )
      const decisions = answersTo(yield* plan(request))
      const told = yield* plan({ ...request, decisions })
      assert.strictEqual(told.projection.status === "failed", told.status === "blocked")
      assert.deepStrictEqual(told.blockers.map(({ code, reason, subject }) => [code, reason, subject]), [[
        undefined,
        "projection_failed",
        "transactions[0]"
      ]])
      assert.include(told.blockers[0]?.message ?? "", "op_no_issuer")
      const refused = yield* refusal("next", { ...request, decisions })
      assert.deepInclude(refused, { status: 422, code: "dry_run_failed" })
      assert.hasAllKeys(refused.details, ["transaction", "result"])
    }))

  it.effect("are told beside a sponsorship that nobody can take over", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, issuer, request, source } = yield* on(FullPoolHolder)
      const poor = Keypair.random()
      yield* on(fund("1", poor))
      yield* on(perform("a balance for somebody else", {
        as: source,
        operations: [Operation.createClaimableBalance({ asset: Asset.native(), amount: "3", claimants: [new Claimant(poor.publicKey())] })]
      }))
      const over = { choice: "transfer_sponsorship", params: { newSponsor: poor.publicKey() } }
      const reasons = Effect.gen(function*() {
        const decisions = answersTo(yield* plan(request)).map((
          answer
        ) => (answer.id.startsWith("sponsorship:") ? { ...answer, ...over } : answer))
        return (yield* plan({ ...request, decisions })).blockers.map(({ reason }) => reason)
      })
      assert.deepStrictEqual(yield* reasons, ["sponsorship_unaffordable"])
      yield* on(
        perform("the issuer leaves", { as: issuer, operations: [Operation.accountMerge({ destination: destination.publicKey() })] })
      )
      assert.deepStrictEqual(yield* reasons, ["sponsorship_unaffordable", "projection_failed"])
    }))
})

const ofNewerProtocol = Serving.layerWith({ closeEvery: null, protocols: false, accounts: false, protocolVersion: 99 })

layer(Layer.scoped(Service, startTestService({}, ofNewerProtocol)), { excludeTestServices: true })(
  "on a ledger newer than the model",
  (it) => {
    it.effect("a transaction that fails on the model is refused for good, with the protocol that the model knows", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, issuer, request } = yield* on(FullPoolHolder)
        yield* on(
          perform("the issuer leaves", { as: issuer, operations: [Operation.accountMerge({ destination: destination.publicKey() })] })
        )
        const decisions = answersTo(yield* plan(request))
        const refused = yield* refusal("next", { ...request, decisions })
        assert.deepInclude(refused, { status: 422, code: "dry_run_failed", retry: "never" })
        assert.deepInclude(refused.details, { modelProtocol: 30 })
      }))
  }
)

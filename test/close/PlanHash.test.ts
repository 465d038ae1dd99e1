import { assert } from "@effect/vitest"
import { Asset, AuthRevocableFlag, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Asked, next, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const hashOf = (request: Asked) => Effect.map(plan(request), ({ planHash }) => planHash)

const held = Effect.gen(function*() {
  const { on } = yield* Service
  const world = yield* on(HolderWithMarket())
  const request = { source: world.source.publicKey(), destination: world.destination.publicKey() }
  const point = pointOf(yield* plan(request), world.decision)
  return { ...world, on, request, point }
})

layer(Service.layer(), { excludeTestServices: true })("the plan's hash", (it) => {
  it.effect("is 64 hex digits, the same every time, and the builder's too", () =>
    Effect.gen(function*() {
      const { destination, point, request } = yield* held
      const answered = { ...request, decisions: [acknowledges(destination.publicKey()), echo(point, "convert_to_native")] }
      const hash = yield* hashOf(answered)
      assert.match(hash, /^[0-9a-f]{64}$/)
      assert.strictEqual(yield* hashOf(answered), hash)
      assert.strictEqual((yield* next({ ...answered, planHash: hash })).planHash, hash)
      assert.strictEqual(yield* hashOf({ ...answered, decisions: [...answered.decisions].toReversed() }), hash)
      const stray = acknowledges(Keypair.random().publicKey())
      assert.strictEqual(yield* hashOf({ ...answered, decisions: [stray, ...answered.decisions] }), hash)
    }))

  it.effect("does not tell lumens, sequence numbers, ledgers, prices, nor how long a transaction is valid", () =>
    Effect.gen(function*() {
      const { asset, maker, on, request, source } = yield* held
      const { sandbox } = yield* Service
      const hash = yield* hashOf(request)
      const same = (what: string) => Effect.map(hashOf(request), (now) => assert.strictEqual(now, hash, what))
      yield* on(
        perform("lumens in", {
          as: maker,
          operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "3" })]
        })
      )
      yield* same("lumens")
      yield* on(
        perform("lumens out", {
          as: source,
          operations: [Operation.payment({ destination: maker.publicKey(), asset: Asset.native(), amount: "1" })]
        })
      )
      yield* same("sequence number")
      yield* sandbox.closeLedger({ advanceSeconds: 1 })
      yield* same("ledger")
      yield* on(
        perform("a better price", {
          as: maker,
          operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "10", price: "1.9" })]
        })
      )
      yield* same("prices")
      assert.strictEqual(yield* hashOf({ ...request, validForSeconds: 600 }), hash)
    }))

  it.effect("tells every part of the request", () =>
    Effect.gen(function*() {
      const { destination, issuer, point, request } = yield* held
      const hashes = yield* Effect.forEach([
        request,
        { source: request.source },
        { ...request, destination: issuer.publicKey() },
        { ...request, feePayer: "fee_bump" },
        { ...request, maxSlippageBps: 5 },
        { ...request, memo: "a" },
        { ...request, memo: "b" },
        { ...request, memo: { type: "hash", value: "a".repeat(64) } as const },
        { ...request, memo: { type: "return", value: "a".repeat(64) } as const },
        { ...request, decisions: [acknowledges(destination.publicKey())] },
        { ...request, decisions: [echo(point, "convert_to_native")] },
        { ...request, decisions: [echo(point, "convert_to_native", { minReceive: "1" })] },
        { ...request, decisions: [echo(point, "return_to_issuer")] },
        { ...request, decisions: [echo(point, "return_to_issuer", { maxAmount: "101" })] }
      ], hashOf)
      assert.strictEqual(new Set(hashes).size, hashes.length)
      // The second half of a hash covers request and decisions; the first half covers the holdings.
      assert.strictEqual(new Set(hashes.map((hash) => hash.slice(0, 32))).size, 1)
    }))

  it.effect("tells every change of what is held", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, request, source } = yield* held
      const hashes = [yield* hashOf(request)]
      const changes: ReadonlyArray<readonly [as: Keypair, ...operations: ReadonlyArray<ReturnType<typeof Operation.payment>>]> = [
        [source, Operation.manageData({ name: "a", value: "1" })],
        [source, Operation.manageData({ name: "b", value: "1" }), Operation.manageData({ name: "a", value: null })],
        [source, Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "5", price: "100" })],
        [source, Operation.changeTrust({ asset: new Asset("MORE", issuer.publicKey()) })],
        [
          issuer,
          Operation.setOptions({ setFlags: AuthRevocableFlag }),
          Operation.setTrustLineFlags({ trustor: source.publicKey(), asset, flags: { authorized: false } })
        ]
      ]
      for (const [as, ...operations] of changes) {
        yield* on(perform("a change", { as, operations }))
        hashes.push(yield* hashOf(request))
      }
      assert.strictEqual(new Set(hashes).size, hashes.length)
      assert.strictEqual(new Set(hashes.map((hash) => hash.slice(32))).size, 1, "the request is the same")
    }))

  it.effect("tells which entries it pays reserves for, not only how many", () =>
    Effect.gen(function*() {
      const { maker, on, request, source } = yield* held
      const sponsor = (name: string) => [
        Operation.beginSponsoringFutureReserves({ sponsoredId: maker.publicKey() }),
        Operation.manageData({ name, value: "1", source: maker.publicKey() }),
        Operation.endSponsoringFutureReserves({ source: maker.publicKey() })
      ]
      const none = yield* hashOf(request)
      yield* on(perform("one entry", { as: source, operations: sponsor("one"), signedBy: [source, maker] }))
      const one = yield* hashOf(request)
      const away = Operation.manageData({ name: "one", value: null, source: maker.publicKey() })
      yield* on(perform("another instead", { as: source, operations: [away, ...sponsor("other")], signedBy: [source, maker] }))
      assert.strictEqual(new Set([none, one, yield* hashOf(request)]).size, 3)
    }))

  it.effect("does not tell amounts, nor what strangers can add in every ledger unless an answer names it", () =>
    Effect.gen(function*() {
      const { asset, issuer, maker, on, request, source } = yield* held
      const hash = yield* hashOf(request)
      yield* on(
        perform("a unit", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "0.0000001" })] })
      )
      assert.strictEqual(yield* hashOf(request), hash)
      const claimants = [new Claimant(source.publicKey(), Claimant.predicateUnconditional())]
      yield* on(
        perform("a gift", { as: maker, operations: [Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants })] })
      )
      const asked = yield* plan(request)
      assert.strictEqual(asked.planHash, hash)
      const point = asked.decisionPoints.find(({ type }) => type === "claim") ?? assert.fail("the gift is not asked about")
      const named = yield* hashOf({ ...request, decisions: [echo(point, "forfeit")] })
      assert.notStrictEqual(named.slice(0, 32), hash.slice(0, 32))
    }))

  it.effect("of a plan with other answers is refused as that, and as no change of the account", () =>
    Effect.gen(function*() {
      const { destination, on, point, request, source } = yield* held
      const answered = { ...request, decisions: [acknowledges(destination.publicKey()), echo(point, "convert_to_native")] }
      const before = yield* hashOf(request)
      const other = yield* refusal("next", { ...answered, planHash: before })
      assert.deepInclude(other, { status: 409, code: "plan_changed" })
      assert.deepStrictEqual(other.details["changes"], [{ kind: "answers" }])
      const hash = yield* hashOf(answered)
      assert.strictEqual(other.details["planHash"], hash)
      yield* on(perform("an entry", { as: source, operations: [Operation.manageData({ name: "a", value: "1" })] }))
      assert.deepStrictEqual((yield* refusal("next", { ...answered, planHash: hash })).details["changes"], [{ kind: "facts" }])
      assert.deepStrictEqual((yield* refusal("next", { ...answered, planHash: before })).details["changes"], [{ kind: "facts" }, {
        kind: "answers"
      }])
    }))

  it.effect("that is none is invalid_body", () =>
    Effect.gen(function*() {
      const { request } = yield* held
      for (const planHash of ["", "0", "G".repeat(64), "A".repeat(64), "0".repeat(65)]) {
        assert.deepInclude(yield* refusal("next", { ...request, planHash }), { status: 400, code: "invalid_body" })
      }
    }))

  it.effect("tells offers apart that are alike", () =>
    Effect.gen(function*() {
      const { asset, on, request, source } = yield* held
      const place = Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "10", price: "50" })
      yield* on(perform("an offer", { as: source, operations: [place] }))
      const first = yield* hashOf(request)
      yield* on(perform("another like it", { as: source, operations: [place] }))
      assert.notStrictEqual(yield* hashOf(request), first)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Asset, AuthRevocableFlag, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { HolderWithMarket } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Asked, next, plan } from "./support/Client.ts"
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
      assert.strictEqual(yield* hashOf({ ...answered, decisions: [...answered.decisions].reverse() }), hash)
      const stray = acknowledges(Keypair.random().publicKey())
      assert.strictEqual(yield* hashOf({ ...answered, decisions: [stray, ...answered.decisions] }), hash)
    }))

  it.effect("does not tell lumens, sequence numbers, ledgers, prices, nor how the fee is paid", () =>
    Effect.gen(function*() {
      const { asset, maker, on, request, source } = yield* held
      const { sandbox } = yield* Service
      const hash = yield* hashOf(request)
      const same = (what: string) => Effect.map(hashOf(request), (now) => assert.strictEqual(now, hash, what))
      yield* on(perform("lumens in", { as: maker, operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "3" })] }))
      yield* same("lumens")
      yield* on(perform("lumens out", { as: source, operations: [Operation.payment({ destination: maker.publicKey(), asset: Asset.native(), amount: "1" })] }))
      yield* same("sequence number")
      yield* sandbox.closeLedger({ advanceSeconds: 1 })
      yield* same("ledger")
      yield* on(perform("a better price", { as: maker, operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "10", price: "1.9" })] }))
      yield* same("prices")
      assert.strictEqual(yield* hashOf({ ...request, feePayer: "fee_bump", validForSeconds: 600, maxSlippageBps: 5 }), hash)
    }))

  it.effect("tells every part of the request", () =>
    Effect.gen(function*() {
      const { destination, issuer, point, request } = yield* held
      const hashes = yield* Effect.forEach([
        request,
        { source: request.source },
        { ...request, destination: issuer.publicKey() },
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
    }))

  it.effect("tells every change of what is held", () =>
    Effect.gen(function*() {
      const { asset, issuer, maker, on, request, source } = yield* held
      const hashes = [yield* hashOf(request)]
      const changes: ReadonlyArray<readonly [as: Keypair, ...operations: ReadonlyArray<ReturnType<typeof Operation.payment>>]> = [
        [source, Operation.manageData({ name: "a", value: "1" })],
        [source, Operation.manageData({ name: "b", value: "1" }), Operation.manageData({ name: "a", value: null })],
        [source, Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "5", price: "100" })],
        [source, Operation.changeTrust({ asset: new Asset("MORE", issuer.publicKey()) })],
        [issuer, Operation.payment({ destination: source.publicKey(), asset, amount: "0.0000001" })],
        [maker, Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(source.publicKey(), Claimant.predicateUnconditional())] })],
        [issuer, Operation.setOptions({ setFlags: AuthRevocableFlag }), Operation.setTrustLineFlags({ trustor: source.publicKey(), asset, flags: { authorized: false } })]
      ]
      for (const [as, ...operations] of changes) {
        yield* on(perform("a change", { as, operations }))
        hashes.push(yield* hashOf(request))
      }
      assert.strictEqual(new Set(hashes).size, hashes.length)
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

  it.effect("does not tell a balance that an answer bounds", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, point, request, source } = yield* held
      const bounded = { ...request, decisions: [echo(point, "return_to_issuer", { maxAmount: "1000" })] }
      const hash = yield* hashOf(bounded)
      yield* on(perform("more", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "50" })] }))
      assert.strictEqual(yield* hashOf(bounded), hash)
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

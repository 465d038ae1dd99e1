import { assert } from "@effect/vitest"
import { AuthImmutableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { Buyer, HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Asked, plan, refusal } from "./support/Client.ts"
import { deposits, registryFile } from "./support/Deposits.ts"
import { Service } from "./support/Service.ts"

/** A registry that has expired: listed destinations are refused, unlisted ones acknowledged. */
const service = Layer.scoped(
  Service,
  Effect.gen(function*() {
    const { file } = yield* registryFile("2020-06-01")
    const started = yield* startTestService({ EXCHANGE_REGISTRY_FILE: file })
    yield* started.on(fund("10", ...Object.values(deposits)))
    return started
  })
)

const staleHash = "0".repeat(64)

const codeOf = (request: Asked) => Effect.map(refusal("next", request), ({ code }) => code)

const wantsMemo = (account: Keypair) =>
  perform("SEP-29", { as: account, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] })

const immutable = (account: Keypair) =>
  perform("immutable", { as: account, operations: [Operation.setOptions({ setFlags: AuthImmutableFlag })] })

layer(service, { excludeTestServices: true })("of two refusals the first in order is answered:", (it) => {
  it.effect("bad input before a missing account, a missing account before the destination", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination } = yield* on(Pair())
      yield* on(wantsMemo(destination))
      const gone = { source: Keypair.random().publicKey(), destination: destination.publicKey() }
      assert.strictEqual(yield* codeOf({ ...gone, memo: { type: "id", value: "no number" } }), "invalid_memo")
      assert.strictEqual(yield* codeOf({ ...gone, decisions: [{ id: "nonsense", choice: "x" }] }), "invalid_decisions")
      assert.strictEqual(yield* codeOf(gone), "not_found")
      assert.strictEqual(yield* codeOf({ ...gone, destination: deposits.id.publicKey(), memo: "1" }), "not_found")
    }))

  it.effect("a missing memo before an expired registry", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      yield* on(wantsMemo(deposits.none))
      const request = { source: source.publicKey(), destination: deposits.none.publicKey() }
      assert.strictEqual(yield* codeOf(request), "memo_required")
      assert.strictEqual(yield* codeOf({ ...request, memo: "something" }), "registry_expired")
    }))

  it.effect("a missing memo before a missing acknowledgement", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(wantsMemo(destination))
      const request = { source: source.publicKey(), destination: destination.publicKey(), planHash: staleHash }
      assert.strictEqual(yield* codeOf(request), "memo_required")
      assert.strictEqual(yield* codeOf({ ...request, memo: "1" }), "destination_not_acknowledged")
    }))

  it.effect("an expired registry before a missing acknowledgement of a transfer", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, decision, destination, source } = yield* on(HolderWithMarket())
      const { source: heir } = yield* on(Pair())
      yield* on(perform("the heir trusts the asset", { as: heir, operations: [Operation.changeTrust({ asset })] }))
      const listed = { source: source.publicKey(), destination: deposits.mediated.publicKey() }
      const transfer = echo(pointOf(yield* plan(listed), decision), "transfer_to_account", { destination: heir.publicKey() })
      assert.strictEqual(yield* codeOf({ ...listed, decisions: [transfer] }), "registry_expired")
      const unlisted = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [transfer, acknowledges(destination.publicKey())]
      }
      assert.strictEqual(yield* codeOf(unlisted), "destination_not_acknowledged")
    }))

  it.effect("a missing acknowledgement before a changed plan, a changed plan before any blocker", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(immutable(source))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      assert.strictEqual(yield* codeOf({ ...request, planHash: staleHash }), "destination_not_acknowledged")
      const acknowledged = { ...request, decisions: [acknowledges(destination.publicKey())] }
      const changed = yield* refusal("next", { ...acknowledged, planHash: staleHash })
      assert.strictEqual(changed.code, "plan_changed")
      const { planHash } = yield* plan(acknowledged)
      assert.strictEqual(changed.details["planHash"], planHash)
      assert.strictEqual(yield* codeOf({ ...acknowledged, planHash }), "plan_blocked")
    }))

  it.effect("the only blocker by its own code, two as plan_blocked, and both before questions", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(HolderWithMarket())
      const nobody = Keypair.random().publicKey()
      const request = { source: source.publicKey(), destination: nobody, decisions: [acknowledges(nobody)] }
      assert.strictEqual(yield* codeOf(request), "destination_unusable")
      yield* on(immutable(source))
      assert.strictEqual(yield* codeOf(request), "plan_blocked")
    }))

  it.effect("questions before a quote that drifted", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { decision, destination, source } = yield* on(HolderWithMarket())
      const { asset, issuer } = yield* on(Issued("EURO", [source, "10"]))
      yield* on(Buyer(asset, "1000", "1"))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const tooMuch = echo(pointOf(asked, decision), "convert_to_native", { minReceive: "1000" })
      const decisions = [acknowledges(destination.publicKey()), tooMuch]
      const refused = yield* refusal("next", { ...request, decisions })
      assert.deepInclude(refused, { code: "needs_decisions", details: { missing: [`asset:EURO-${issuer.publicKey()}`] } })
      const other = echo(pointOf(asked, `asset:EURO-${issuer.publicKey()}`), "convert_to_native")
      assert.strictEqual(yield* codeOf({ ...request, decisions: [...decisions, other] }), "quote_drifted")
    }))
})

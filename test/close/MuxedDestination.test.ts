import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, type PlanBody, refusal, submit } from "./support/Client.ts"
import { deposits, registryFile } from "./support/Deposits.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { muxedOf } from "./support/Muxed.ts"
import { merging } from "./support/Outsiders.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const listing = Layer.scoped(
  Service,
  Effect.gen(function*() {
    const { file } = yield* registryFile("2999-12-31")
    const service = yield* startTestService({ EXCHANGE_REGISTRY_FILE: file })
    yield* service.on(fund("10", ...Object.values(deposits)))
    return service
  })
)

/** A pair, and the muxed address of an id behind its destination. */
const pair = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  return { destination, source, muxed: muxedOf(destination.publicKey(), 2n ** 64n - 1n) }
})

layer(listing, { excludeTestServices: true })("a muxed destination (M...)", (it) => {
  it.effect("of an account in no registry is paid with its id, once its owner acknowledges the whole address", () =>
    Effect.gen(function*() {
      const { destination, muxed, source } = yield* pair
      const request = { source: source.publicKey(), destination: muxed }
      assert.deepInclude(pointOf(yield* plan(request), `destination:${muxed}`), {
        required: true,
        about: { kind: "destination", address: muxed }
      })
      for (const other of [destination.publicKey(), muxedOf(destination.publicKey(), 1n)]) {
        const refused = yield* refusal("next", { ...request, decisions: [acknowledges(other)] })
        assert.deepInclude(refused, {
          status: 422,
          code: "destination_not_acknowledged",
          details: { decisionId: `destination:${muxed}`, choice: "i_control_this_address" }
        })
      }
      const asked = { ...request, decisions: [acknowledges(muxed)] }
      const ready = yield* plan(asked)
      assert.strictEqual(ready.status, "ready")
      const plain = { source: source.publicKey(), destination: destination.publicKey(), decisions: [acknowledges(destination.publicKey())] }
      assert.notStrictEqual((yield* plan(plain)).planHash, ready.planHash)
      const before = yield* lumensOf(destination)
      const transaction = yield* offered({ ...asked, planHash: ready.planHash })
      assert.deepStrictEqual(transaction.intent.operations, [{ type: "account_merge", destination: muxed }])
      assert.strictEqual(transaction.intent.guarantees.mergeDestination, muxed)
      yield* submit(yield* signed(transaction, source))
      assert.isNull(yield* accountOf(source))
      assert.strictEqual((yield* lumensOf(destination)) - before, 99_9999900n)
      const { closed, status } = yield* plan(request)
      assert.strictEqual(status, "complete")
      assert.deepInclude(closed, { mergedInto: muxed, paidTo: muxed, receivedLumens: "99.9999900", memo: null })
      for (const other of [destination.publicKey(), muxedOf(destination.publicKey(), 1n)]) {
        const refused = yield* refusal("plan", { ...request, destination: other })
        assert.deepInclude(refused, { status: 404, code: "not_found" })
        assert.strictEqual(refused.details["mergedInto"], muxed)
      }
    }))

  it.effect("needs no memo where its account asks for one (SEP-29), and is refused beside a memo", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, muxed, source } = yield* pair
      yield* on(
        perform("a memo is required", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] })
      )
      const request = { source: source.publicKey(), destination: muxed, decisions: [acknowledges(muxed)] }
      assert.strictEqual((yield* plan(request)).status, "ready")
      for (const route of ["plan", "next"] as const) {
        const refused = yield* refusal(route, { ...request, memo: { type: "id", value: "7" } })
        assert.deepInclude(refused, { status: 400, code: "invalid_memo" })
        assert.match(String(refused.details["rule"]), /in place of a memo/)
      }
      yield* submit(yield* signed(yield* offered(request), source))
      assert.isNull(yield* accountOf(source))
    }))

  it.effect("of a listed exchange is refused, through the mediator too, where the registry does not say that it is credited", () =>
    Effect.gen(function*() {
      const { source } = yield* pair
      for (const rule of ["text", "id", "none", "mediated"] as const) {
        const muxed = muxedOf(deposits[rule].publicKey(), 7n)
        for (const route of ["plan", "next"] as const) {
          const refused = yield* refusal(route, { source: source.publicKey(), destination: muxed, decisions: [acknowledges(muxed)] })
          assert.deepInclude(refused, { status: 400, code: "invalid_destination" })
          assert.match(String(refused.details["reason"]), rule === "mediated" ? /mediator/ : /not known to credit muxed addresses/)
        }
        const sent = yield* refusal("submit", { signedXdr: yield* merging(source, muxed) })
        assert.deepInclude(sent, { status: 409, code: "plan_changed" })
        assert.deepStrictEqual(sent.details["changes"], [{ kind: "destination", subject: deposits[rule].publicKey(), current: "listed" }])
      }
    }))

  it.effect("of a listed exchange that credits muxed addresses needs neither memo nor acknowledgement", () =>
    Effect.gen(function*() {
      const { source } = yield* pair
      const request = { source: source.publicKey(), destination: muxedOf(deposits.muxed.publicKey(), 7n) }
      assert.deepStrictEqual((yield* plan(request)).decisionPoints.map(({ id }) => id), ["later"])
      assert.deepInclude(yield* refusal("next", { ...request, memo: "7" }), { status: 400, code: "invalid_memo" })
      yield* submit(yield* signed(yield* offered(request), source))
      assert.isNull(yield* accountOf(source))
      assert.strictEqual((yield* plan(request)).closed?.paidTo, request.destination)
    }))

  it.effect("receives an asset by a payment to its id", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, decision, destination, source } = yield* on(HolderWithMarket())
      yield* on(perform("the destination trusts the asset", { as: destination, operations: [Operation.changeTrust({ asset })] }))
      const [muxed, other] = [muxedOf(destination.publicKey(), 7n), muxedOf(destination.publicKey(), 8n)]
      const request = { source: source.publicKey(), destination: muxed }
      const point = pointOf(yield* plan(request), decision)
      const elsewhere = { ...request, decisions: [acknowledges(muxed), echo(point, "transfer_to_account", { destination: other })] }
      assert.strictEqual((yield* refusal("next", elsewhere)).details["decisionId"], `destination:${other}`)
      const { intent, xdr } = yield* offered({ ...elsewhere, decisions: [...elsewhere.decisions, acknowledges(other)] })
      assert.deepStrictEqual(intent.operations[0], { type: "payment", asset: asset.toString(), amount: "100.0000000", destination: other })
      assert.deepStrictEqual(intent.guarantees.paymentsOnlyTo, [other])
      yield* submit(yield* signed({ xdr }, source))
    }))

  it.effect("of an account that the same batch closes is refused, and every other one is planned", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      const [one, two] = [yield* pair, yield* pair]
      const { body } = yield* call<{
        readonly results: ReadonlyArray<{ readonly plan?: PlanBody; readonly error?: { readonly code: string } }>
      }>("POST", "/v1/testnet/close/batch-plan", {
        accounts: [
          { source: one.source.publicKey(), destination: muxedOf(two.source.publicKey(), 7n) },
          { source: two.source.publicKey() },
          { source: Keypair.random().publicKey(), destination: muxedOf(deposits.text.publicKey(), 7n) }
        ],
        destination: two.muxed
      })
      assert.deepStrictEqual(body.results.map(({ error, plan: made }) => error?.code ?? made?.decisionPoints[0]?.id), [
        "invalid_destination",
        `destination:${two.muxed}`,
        "invalid_destination"
      ])
    }))
})

import { assert } from "@effect/vitest"
import { Asset, AuthRevocableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { type Asked, next, offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { PoolShareHolder } from "./support/Crowded.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf, lumensOf, offersOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

/** A holder whose plan is answered with these choices, and the state that the answers depend on. */
const agreed = (...wished: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const world = yield* on(HolderWithMarket())
    const request = { source: world.source.publicKey(), destination: world.destination.publicKey() }
    const decisions = answersTo(yield* plan(request), ...wished)
    const { planHash } = yield* plan({ ...request, decisions })
    return { ...world, on, request: { ...request, decisions }, planHash }
  })

/** Plans again, as a client does after drift, and closes. */
const resumes = (source: Keypair, destination: Keypair, ...wished: ReadonlyArray<string>) => closeThrough({ source, destination, wished })

/** Sets the price of the only buyer: units of the asset for a lumen. An amount of zero removes the offer. */
const requote = (maker: Keypair, asset: Asset, price: string, amount = "5000") =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const [offer, ...more] = yield* offersOf(maker)
    assert.isEmpty(more)
    yield* on(perform("the buyer changes its offer", {
      as: maker,
      operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount, price, offerId: String(offer) })]
    }))
  })

const failsOnLedger = (signedXdr: string) =>
  Effect.gen(function*() {
    const refused = yield* refusal("submit", { signedXdr })
    assert.deepInclude(refused, { status: 422, code: "transaction_failed" })
    assert.strictEqual(refused.details["resultCode"], "tx_failed")
    return refused.details["operationResultCodes"]
  })

const changesOf = (request: Asked) =>
  Effect.map(refusal("next", request), ({ code, details }) => {
    assert.strictEqual(code, "plan_changed")
    return details["changes"]
  })

layer(Service.layer(), { excludeTestServices: true })("between plan and build", (it) => {
  it.effect("the market gets worse than the floor: quote_drifted with what it brings now", () =>
    Effect.gen(function*() {
      const { asset, decision, destination, maker, planHash, request, source } = yield* agreed("convert_to_native")
      yield* requote(maker, asset, "4")
      const refused = yield* refusal("next", { ...request, planHash })
      assert.deepStrictEqual(refused, {
        status: 409,
        code: "quote_drifted",
        details: { decisionId: decision, agreed: "49.7500000", current: "25.0000000" },
        retry: "replan",
        retryAfter: null
      })
      yield* resumes(source, destination)
    }))

  it.effect("the market gets a little worse, still above the floor: the conversion keeps the agreed floor", () =>
    Effect.gen(function*() {
      const { asset, maker, planHash, request } = yield* agreed("convert_to_native")
      yield* requote(maker, asset, "2.005")
      const { intent } = yield* offered({ ...request, planHash })
      assert.strictEqual(intent.guarantees.minLumensFromConversions, "49.7500000")
    }))

  it.effect("the market vanishes: quote_drifted without any current quote, and burning is still offered", () =>
    Effect.gen(function*() {
      const { asset, decision, destination, maker, request, source } = yield* agreed("convert_to_native")
      yield* requote(maker, asset, "1", "0")
      const refused = yield* refusal("next", request)
      assert.deepInclude(refused, { code: "quote_drifted", details: { decisionId: decision, agreed: "49.7500000", current: null } })
      const { options } = pointOf(yield* plan(request), decision)
      assert.deepStrictEqual(options.map(({ id }) => id), ["transfer_to_account", "return_to_issuer"])
      yield* resumes(source, destination, "return_to_issuer")
    }))

  it.effect("dust arrives: what was agreed to be given away has room for it", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, planHash, request, source } = yield* agreed("return_to_issuer")
      yield* on(perform("dust", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "3" })] }))
      const { intent } = yield* offered({ ...request, planHash })
      const [payment] = intent.operations.filter(({ type }) => type === "payment")
      assert.strictEqual(payment?.type === "payment" ? payment.amount : "", "103.0000000")
    }))

  it.effect("more arrives than a hundredth and what a lumen buys: what was agreed to be given away no longer covers it", () =>
    Effect.gen(function*() {
      const { asset, decision, destination, issuer, on, planHash, request, source } = yield* agreed("return_to_issuer")
      yield* on(
        perform("more than dust", {
          as: issuer,
          operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "3.0000001" })]
        })
      )
      assert.deepStrictEqual(yield* changesOf(request), [{
        kind: "amount",
        subject: decision,
        agreed: "103.0000000",
        current: "103.0000001"
      }])
      const refused = yield* refusal("next", { ...request, planHash })
      assert.deepInclude(refused, { status: 409, code: "plan_changed" })
      yield* resumes(source, destination, "return_to_issuer")
    }))

  it.effect("something is taken away: a maximum still covers the rest, and the plan holds", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, planHash, request, source } = yield* agreed("return_to_issuer")
      yield* on(
        perform("a payment", { as: source, operations: [Operation.payment({ destination: issuer.publicKey(), asset, amount: "40" })] })
      )
      const { intent } = yield* offered({ ...request, planHash })
      const [payment] = intent.operations.filter(({ type }) => type === "payment")
      assert.strictEqual(payment?.type === "payment" ? payment.amount : "", "60.0000000")
    }))

  it.effect("a balance to be converted grows: the plan still stands, and so does the floor", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, planHash, request, source } = yield* agreed("convert_to_native")
      yield* on(perform("more", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "10" })] }))
      const { intent } = yield* offered({ ...request, planHash })
      assert.strictEqual(intent.guarantees.minLumensFromConversions, "54.7250000")
    }))

  it.effect("an offer appears and another is crossed away: the plan is another one", () =>
    Effect.gen(function*() {
      const { asset, destination, maker, on, request, source } = yield* agreed("convert_to_native")
      yield* on(
        perform("an offer", {
          as: source,
          operations: [Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "20", price: "1" })]
        })
      )
      const { planHash } = yield* plan(request)
      assert.include((yield* plan(request)).steps.map(({ type }) => type), "CANCEL_OFFERS")
      yield* on(
        perform("somebody takes it", {
          as: maker,
          operations: [Operation.manageBuyOffer({ selling: Asset.native(), buying: asset, buyAmount: "20", price: "1" })]
        })
      )
      assert.strictEqual((yield* refusal("next", { ...request, planHash })).code, "plan_changed")
      assert.notInclude((yield* plan(request)).steps.map(({ type }) => type), "CANCEL_OFFERS")
      yield* resumes(source, destination)
    }))

  it.effect("a line is frozen: blocked", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, request, source } = yield* agreed("convert_to_native")
      yield* on(perform("frozen", {
        as: issuer,
        operations: [
          Operation.setOptions({ setFlags: AuthRevocableFlag }),
          Operation.setTrustLineFlags({ trustor: source.publicKey(), asset, flags: { authorized: false } })
        ]
      }))
      assert.strictEqual((yield* refusal("next", request)).code, "plan_blocked")
      assert.deepStrictEqual((yield* plan(request)).blockers.map(({ reason }) => reason), ["trustline_deauthorized"])
    }))

  it.effect("lumens arrive or leave, sequence numbers are used: the plan is the same", () =>
    Effect.gen(function*() {
      const { destination, maker, on, planHash, request, source } = yield* agreed("convert_to_native")
      yield* on(
        perform("a gift", {
          as: maker,
          operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "5" })]
        })
      )
      yield* on(
        perform("a payment", {
          as: source,
          operations: [Operation.payment({ destination: maker.publicKey(), asset: Asset.native(), amount: "1" })]
        })
      )
      assert.strictEqual((yield* next({ ...request, planHash })).planHash, planHash)
      yield* closeThrough({ source, destination })
    }))

  it.effect("the destination is merged away: destination_unusable", () =>
    Effect.gen(function*() {
      const { destination, on, planHash, request } = yield* agreed("convert_to_native")
      yield* on(
        perform("gone", {
          as: destination,
          operations: [Operation.accountMerge({ destination: Keypair.master((yield* Service).passphrase).publicKey() })]
        })
      )
      assert.strictEqual((yield* refusal("next", { ...request, planHash })).code, "destination_unusable")
    }))
})

layer(Service.layer(), { excludeTestServices: true })("between build and submit", (it) => {
  it.effect("the market gets worse than the floor: it fails on the ledger, nothing is sold, and the next call resumes", () =>
    Effect.gen(function*() {
      const { asset, destination, maker, request, source } = yield* agreed("convert_to_native")
      const envelope = yield* signed(yield* offered(request), source)
      yield* requote(maker, asset, "4")
      assert.include(yield* failsOnLedger(envelope), "op_under_dest_min")
      assert.strictEqual((yield* refusal("next", request)).code, "quote_drifted")
      yield* resumes(source, destination)
    }))

  it.effect("one more unit arrives: the line cannot go, so nothing does", () =>
    Effect.gen(function*() {
      const { asset, destination, issuer, on, request, source } = yield* agreed("return_to_issuer")
      const envelope = yield* signed(yield* offered(request), source)
      yield* on(
        perform("dust", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "0.0000001" })] })
      )
      assert.include(yield* failsOnLedger(envelope), "op_invalid_limit")
      yield* resumes(source, destination, "return_to_issuer")
    }))

  it.effect("the line is frozen: it fails, and the next call says what blocks", () =>
    Effect.gen(function*() {
      const { asset, issuer, on, request, source } = yield* agreed("return_to_issuer")
      const envelope = yield* signed(yield* offered(request), source)
      yield* on(perform("frozen", {
        as: issuer,
        operations: [
          Operation.setOptions({ setFlags: AuthRevocableFlag }),
          Operation.setTrustLineFlags({ trustor: source.publicKey(), asset, flags: { authorized: false } })
        ]
      }))
      assert.include(yield* failsOnLedger(envelope), "op_src_not_authorized")
      assert.strictEqual((yield* refusal("next", request)).code, "plan_blocked")
    }))

  it.effect("the destination is merged away: plan_changed, and the account keeps what it has", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { destination: other } = yield* on(Pair())
      const envelope = yield* signed(yield* offered(acknowledged(source, destination)), source)
      yield* on(perform("gone", { as: destination, operations: [Operation.accountMerge({ destination: other.publicKey() })] }))
      const refused = yield* refusal("submit", { signedXdr: envelope })
      assert.deepInclude(refused, { status: 409, code: "plan_changed" })
      assert.deepStrictEqual(refused.details["changes"], [{ kind: "destination", subject: destination.publicKey(), current: "missing" }])
      assert.strictEqual(showAmount(yield* lumensOf(source)), "100.0000000")
      yield* closeThrough({ source, destination: other })
    }))

  it.effect("the pool moves past the slippage: the withdrawal fails and is built again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, maker, source } = yield* on(PoolShareHolder)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = [acknowledges(destination.publicKey())]
      const answers = answersTo(yield* plan({ ...request, decisions }))
      const envelope = yield* signed(yield* offered({ ...request, decisions: answers }), source)
      yield* on(perform("a large trade", {
        as: maker,
        operations: [
          Operation.pathPaymentStrictSend({
            sendAsset: Asset.native(),
            sendAmount: "1000",
            destination: maker.publicKey(),
            destAsset: asset,
            destMin: "1",
            path: []
          })
        ]
      }))
      assert.include(yield* failsOnLedger(envelope), "op_under_minimum")
      yield* resumes(source, destination)
    }))

  it.effect("another transaction of the account comes first: stale_sequence, and the next call resumes", () =>
    Effect.gen(function*() {
      const { asset, destination, issuer, on, request, source } = yield* agreed("convert_to_native")
      const envelope = yield* signed(yield* offered(request), source)
      yield* on(
        perform("somebody else with the key", {
          as: source,
          operations: [Operation.payment({ destination: issuer.publicKey(), asset, amount: "1" })]
        })
      )
      assert.strictEqual((yield* refusal("submit", { signedXdr: envelope })).code, "stale_sequence")
      yield* resumes(source, destination)
    }))

  it.effect("the bound passes: transaction_expired, and the next call resumes", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* agreed("convert_to_native")
      const { sandbox } = yield* Service
      const envelope = yield* signed(yield* offered({ ...request, validForSeconds: 60 }), source)
      yield* sandbox.closeLedger({ advanceSeconds: 61 })
      assert.strictEqual((yield* refusal("submit", { signedXdr: envelope })).code, "transaction_expired")
      yield* resumes(source, destination)
    }))

  it.effect("lumens arrive: they are merged as well", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      const envelope = yield* signed(yield* offered(acknowledged(source, destination)), source)
      yield* on(
        perform("a gift", {
          as: giver,
          operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "5" })]
        })
      )
      const before = yield* lumensOf(destination)
      yield* submit(envelope)
      assert.strictEqual(yield* accountOf(source), null)
      assert.strictEqual(showAmount((yield* lumensOf(destination)) - before), "104.9999900")
    }))

  it.effect("a reserve is needed anew: the account gained a sub-entry, so the merge is refused and nothing is lost", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      yield* sandbox.closeLedger()
      yield* on(perform("a new entry", { as: source, operations: [Operation.manageData({ name: "late", value: "1" })] }))
      assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })).code, "stale_sequence")
      const closed = yield* closeThrough({
        source,
        destination,
        decisions: [
          echo(
            pointOf(
              yield* plan({ source: source.publicKey(), destination: destination.publicKey() }),
              `destination:${destination.publicKey()}`
            ),
            "i_control_this_address"
          )
        ]
      })
      assert.include(closed.plan.steps.map(({ type }) => type), "REMOVE_DATA_ENTRIES")
    }))
})

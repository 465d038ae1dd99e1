import { assert, it } from "@effect/vitest"
import { type Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { asked, pursued, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { VaultsShort } from "../../support/scenarios/VaultsShort.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { next, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { AnotherPosition, laterLedger, ToyHolder, type ToyOptions, toyService } from "./support/ToyService.ts"

const decisionOf = (asset: Asset): string => `asset:${asset.getCode()}-${asset.getIssuer()}`

/** The required questions about assets. */
const assetsAsked = ({ decisionPoints }: PlanBody): ReadonlyArray<string> =>
  decisionPoints.filter(({ required, type }) => required && type === "asset").map(({ id }) => id)

it.scopedLive("the whole balance of an asset repays a debt: nothing is asked about it, and its line goes", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsPair)
    assert.deepStrictEqual(assetsAsked(held.plan), [])
    const ready = yield* plan({ ...held.request, decisions: answersTo(held.plan) })
    assert.deepStrictEqual([ready.status, ready.unusedDecisions], ["ready", []])
    assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive("so does what is bought because the debt lacks it", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsShort)
    assert.deepStrictEqual(assetsAsked(held.plan), [])
    const decisions = answersTo(held.plan, "buy_repay_asset_then_exit")
    const ready = yield* plan({ ...held.request, decisions })
    assert.deepStrictEqual([ready.status, ready.blockers, assetsAsked(ready)], ["ready", [], []])
  }).pipe(Effect.provide(vaultsService)))

const Owing = (options: ToyOptions) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ debt: 10_0000000n, owned: "10", ...options }))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    return { ...held, request, asked: yield* plan(request), owedDecision: decisionOf(held.owed) }
  })

layer(toyService, { excludeTestServices: true })("an asset that repays a debt", (it) => {
  it.effect("is not asked about where all of it does", () =>
    Effect.gen(function*() {
      const held = yield* Owing({ pool: 0 })
      assert.notInclude(held.asked.decisionPoints.map(({ id }) => id), held.owedDecision)
    }))

  it.effect("is asked about where some is left over", () =>
    Effect.gen(function*() {
      const held = yield* Owing({ pool: 1, owned: "10.0000001" })
      assert.include(assetsAsked(held.asked), held.owedDecision)
    }))

  it.effect("is asked about where another position pays some of it, since that may pay more than is expected", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* Owing({ pool: 4, debt: 110_0000000n })
      yield* on(AnotherPosition(held, 5))
      yield* laterLedger
      assert.include(assetsAsked(yield* plan(held.request)), held.owedDecision)
    }))

  it.effect("is asked about where the exit fails, and again where the position is left behind", () =>
    Effect.gen(function*() {
      const held = yield* Owing({ pool: 2, mode: "error" })
      assert.include(assetsAsked(held.asked), held.owedDecision)
      const forfeit = echo(pointOf(held.asked, held.id), "acknowledge_forfeit")
      const given = yield* plan({ ...held.request, decisions: [forfeit] })
      const point = pointOf(given, held.owedDecision)
      assert.deepStrictEqual([point.required, point.answered, point.subject], [true, false, `10.0000000 EUR:${held.owed.getIssuer()}`])
    }))

  it.effect("is asked about once a stranger has added to it before the exit, and nothing of it is lost", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* Owing({ pool: 3 })
      const decisions = answersTo(held.asked)
      assert.strictEqual((yield* plan({ ...held.request, decisions })).status, "ready")
      const payment = Operation.payment({ destination: held.request.source, asset: held.owed, amount: "2" })
      yield* on(perform("a stranger pays", { as: held.maker, operations: [payment] }))
      yield* laterLedger
      assert.deepInclude(yield* refusal("next", { ...held.request, decisions }), {
        code: "needs_decisions",
        details: { missing: [held.owedDecision] }
      })
      const again = yield* plan({ ...held.request, decisions })
      const all = [...decisions, echo(pointOf(again, held.owedDecision), "return_to_issuer")]
      const { transactions: [exit] } = yield* next({ ...held.request, decisions: all })
      assert.deepStrictEqual(exit?.covers, ["EXIT_POSITIONS"])
      yield* submit(yield* signed(exit!, held.source))
      assert.strictEqual(yield* heldOf(held.source, held.owed), 2_0000000n)
    }))
})

import { assert } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

/** An account that is six units short of a debt's asset, at two lumens each, and whose owner agreed to this cost. */
const Short = (pool: number, maxSpend?: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool, debt: 10_0000000n, owned: "4" }))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    const asked = yield* plan(request)
    const buys = echo(pointOf(asked, held.id), "buy_repay_asset_then_exit", maxSpend === undefined ? {} : { maxSpend })
    const decisions = withAnswer(answersTo(asked), buys)
    const step = Effect.gen(function*() {
      const transaction = yield* offered({ ...request, decisions })
      yield* submit(yield* signed(transaction, held.source))
      yield* laterLedger
      return transaction.intent.operations.map(({ type }) => type)
    })
    /** Takes the bought units away again. */
    const lose = (amount: string) =>
      Effect.zipRight(
        on(
          perform("what was bought goes", {
            as: held.source,
            operations: [Operation.payment({ destination: held.maker.publicKey(), asset: held.owed, amount })]
          })
        ),
        laterLedger
      )
    return { ...held, request, asked, buys, decisions, step, lose }
  })

layer(toyService, { excludeTestServices: true })("maxSpend", (it) => {
  it.effect("bounds all purchases of one shortage: what was bought before and is gone again is taken from it", () =>
    Effect.gen(function*() {
      const held = yield* Short(0)
      assert.deepStrictEqual(held.buys.params, { spendAsset: "native", maxSpend: "12.0600000", sequence: held.asked.snapshot.sequence })
      assert.deepStrictEqual(yield* held.step, ["path_payment_strict_receive"])
      yield* held.lose("6")
      const refused = yield* refusal("next", { ...held.request, decisions: held.decisions })
      assert.deepStrictEqual([refused.status, refused.code, refused.details["changes"]], [409, "plan_changed", [
        { kind: "amount", subject: held.id, agreed: "0.0600000", current: "12.0000000" }
      ]])
      const again = yield* plan({ ...held.request, decisions: held.decisions })
      assert.strictEqual(again.status, "needs_decisions")
      assert.deepInclude(pointOf(again, held.id), { required: true, answered: false })
      // A new consent, from now on, is another one.
      const anew = echo(pointOf(again, held.id), "buy_repay_asset_then_exit")
      const decisions = [...held.decisions.filter(({ id }) => id !== held.id), anew]
      assert.strictEqual((yield* plan({ ...held.request, decisions })).status, "ready")
    }))

  it.effect("lets the rest of it be spent, also where strangers wrote into the account's history meanwhile", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* Short(1, "20")
      yield* held.step
      yield* held.lose("3")
      for (const amount of ["0.1", "0.2", "0.3"]) {
        yield* on(
          perform("a stranger pays", {
            as: held.maker,
            operations: [Operation.payment({ destination: held.source.publicKey(), asset: held.owed, amount })]
          })
        )
      }
      yield* laterLedger
      // 2.4 are missing, at two lumens each: 4.8 of the remaining 8.
      assert.deepStrictEqual(yield* held.step, ["path_payment_strict_receive"])
      yield* held.lose("3")
      const refused = yield* refusal("next", { ...held.request, decisions: held.decisions })
      assert.deepStrictEqual([refused.code, refused.details["changes"]], ["plan_changed", [
        { kind: "amount", subject: held.id, agreed: "3.2000000", current: "6.0000000" }
      ]])
    }))

  it.effect("needs the sequence number it begins at, and none of the future", () =>
    Effect.gen(function*() {
      const held = yield* Short(2)
      const without = { ...held.buys, params: { spendAsset: "native", maxSpend: "20" } }
      assert.strictEqual((yield* refusal("plan", { ...held.request, decisions: [without] })).code, "invalid_decisions")
      const future = { ...held.buys, params: { ...held.buys.params, sequence: `${BigInt(held.asked.snapshot.sequence) + 1n}` } }
      const refused = yield* refusal("next", { ...held.request, decisions: withAnswer(answersTo(held.asked), future) })
      assert.deepStrictEqual([refused.code, refused.details["changes"]], ["plan_changed", [{
        kind: "amount",
        subject: held.id,
        agreed: "0.0000000",
        current: "12.0000000"
      }]])
    }))
})

import { assert } from "@effect/vitest"
import { AuthRequiredFlag, AuthRevocableFlag, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { type Answer, next, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { laterLedger, POSITION, ToyHolder, type ToyOptions, toyService } from "./support/ToyService.ts"

type Held = Effect.Effect.Success<ReturnType<typeof ToyHolder>>

const prepared = (options: ToyOptions, happen: (held: Held) => ReadonlyArray<Parameters<typeof perform>[1]> = () => []) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder(options))
    for (const step of happen(held)) yield* on(perform("something happens", step))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    return { ...held, request, asked: yield* plan(request) }
  })

/** Gives up the position as offered, and closes the rest. */
const closedOver = ({ asked, id, request, source }: Effect.Effect.Success<ReturnType<typeof prepared>>) =>
  Effect.gen(function*() {
    const forfeit = echo(pointOf(asked, id), "acknowledge_forfeit")
    const given = yield* plan({ ...request, decisions: [forfeit] })
    assert.deepStrictEqual(given.blockers, [])
    const decisions = [forfeit, ...answersTo(given)]
    const covered: Array<string> = []
    while ((yield* accountOf(source)) !== null) {
      const transaction = yield* offered({ ...request, decisions })
      yield* submit(yield* signed(transaction, source))
      covered.push(transaction.covers.join("+"))
      yield* laterLedger
    }
    return covered
  })

const choices = (held: { readonly asked: Effect.Effect.Success<ReturnType<typeof plan>>; readonly id: string }) =>
  pointOf(held.asked, held.id).options.map(({ id }) => id)

layer(toyService, { excludeTestServices: true })("giving a position up", (it) => {
  it.effect("is refused where it is not offered: there is a way out", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 0 })
      assert.notInclude(choices(held), "acknowledge_forfeit")
      const forfeit: Answer = { id: held.id, choice: "acknowledge_forfeit", params: { maxAmount: `${POSITION}` } }
      const decisions = [...answersTo(held.asked), forfeit]
      for (const route of ["plan", "next"] as const) {
        const refused = yield* refusal(route, { ...held.request, decisions })
        assert.deepStrictEqual([refused.status, refused.code], [400, "invalid_decisions"])
        assert.deepInclude(refused.details["issues"], {
          path: `decisions[${decisions.length - 1}]`,
          message: "acknowledge_forfeit is not an option of this point now: there is another way. Plan again."
        })
      }
    }))

  it.effect("is offered where an issuer would have to authorise the line that it pays onto", () =>
    Effect.gen(function*() {
      const held = yield* prepared(
        { pool: 1, line: false },
        ({ issuer }) => [{ as: issuer, operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })] }]
      )
      assert.deepStrictEqual(held.asked.blockers.map(({ reason }) => reason), ["payout_trustline_missing"])
      assert.deepStrictEqual(yield* closedOver(held), ["MERGE"])
    }))

  it.effect("is offered where an issuer has frozen the line that it pays onto, once nothing is on that", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 2 }, ({ asset, issuer, source }) => [
        { as: source, operations: [Operation.payment({ destination: issuer.publicKey(), asset, amount: "10" })] },
        { as: issuer, operations: [Operation.setOptions({ setFlags: (AuthRequiredFlag | AuthRevocableFlag) as never })] },
        { as: issuer, operations: [Operation.setTrustLineFlags({ trustor: source.publicKey(), asset, flags: { authorized: false } })] }
      ])
      assert.include(choices(held), "acknowledge_forfeit", JSON.stringify(held.asked.blockers))
      assert.deepStrictEqual(yield* closedOver(held), ["REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("is offered where lumens do not suffice for its line", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 3, line: false, lumens: "1.4" })
      assert.match(held.asked.blockers[0]?.message ?? "", /too few lumens/)
      assert.deepStrictEqual(yield* closedOver(held), ["MERGE"])
    }))

  it.effect("is offered where lumens do not suffice for its call, up to a hundredth and what a lumen buys more than is there", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 4, lumens: "1.5002" })
      assert.strictEqual(held.asked.blockers[0]?.reason, "insufficient_lumens")
      const most = BigInt(pointOf(held.asked, held.id).options.find(({ id }) => id === "acknowledge_forfeit")?.params?.maxAmount ?? "0")
      // A hundred at half a lumen each: two of them to the lumen.
      assert.strictEqual(most, POSITION + POSITION / 100n + 2_0000000n)
      assert.deepStrictEqual(yield* closedOver(held), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("has no bound where nothing is known to buy what it would pay", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 5, code: "71".repeat(32) })
      const most = pointOf(held.asked, held.id).options.find(({ id }) => id === "acknowledge_forfeit")?.params?.maxAmount
      assert.strictEqual(most, `${(1n << 127n) - 1n}`)
    }))

  it.effect("is not needed once a purchase has done its work: the answer is unused, and the hash that was promised holds", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 6, debt: 10_0000000n, owned: "4" })
      const buys = echo(pointOf(held.asked, held.id), "buy_repay_asset_then_exit")
      const decisions = withAnswer(answersTo(held.asked), buys)
      const bought = yield* next({ ...held.request, decisions })
      yield* submit(yield* signed(bought.transactions[0]!, held.source))
      yield* laterLedger
      const after = yield* plan({ ...held.request, decisions })
      assert.deepStrictEqual([after.status, after.unusedDecisions], ["ready", [held.id]])
      assert.strictEqual(after.planHash, bought.nextPlanHash)
    }))
})

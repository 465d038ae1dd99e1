import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { Given } from "./support/Gifts.ts"
import { giftPools } from "./support/ToyProtocol.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

layer(toyService, { excludeTestServices: true })("an amount that no token can have", (it) => {
  for (const [at, amount] of [1n << 63n, 1n << 120n, -1n].entries()) {
    it.effect(`is no fault of the service: ${amount}`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const held = yield* on(ToyHolder({ pool: at, debt: amount, owned: "1" }))
        yield* laterLedger
        const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
        const asked = yield* plan(request)
        assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["position_locked"], JSON.stringify(asked.blockers))
        assert.match(asked.blockers[0]?.message ?? "", /an amount that its token cannot have/)
        assert.include(pointOf(asked, held.id).options.map(({ id }) => id), "acknowledge_forfeit")
        assert.strictEqual((yield* refusal("next", { ...request, decisions: answersTo(asked) })).code, "position_exit_unavailable")
      }))
  }

  it.effect("in a gift blocks nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool: 3 }))
      const [id = ""] = yield* on(Given(held.source, held.asset, 1n << 120n, giftPools[0] ?? 0))
      yield* laterLedger
      const asked = yield* plan({ source: held.source.publicKey(), destination: held.destination.publicKey() })
      assert.deepStrictEqual([asked.status, asked.blockers], ["needs_decisions", []])
      assert.deepInclude(pointOf(asked, id), { required: true, default: null })
    }))
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { HolderWithMarket } from "../support/Accounts.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { next, plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { toyProtocol } from "./support/ToyProtocol.ts"
import { toyServiceThrough } from "./support/ToyService.ts"

const broken = {
  ...toyProtocol,
  places: toyProtocol.places.map((place) => ({
    ...place,
    decode: () => {
      throw new Error("it cannot decode this")
    }
  }))
}

layer(toyServiceThrough(Effect.succeed, broken), { excludeTestServices: true })("a protocol whose decoder fails", (it) => {
  it.effect("keeps an account open until its owner gives up what may be held there", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(HolderWithMarket("10"))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const point = pointOf(asked, "positions_unread:amm_2")
      const decisions = answersTo(asked).filter(({ id }) => id !== point.id)
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "positions_unread")
      const givenUp = [...decisions, echo(point, "i_accept_unread_positions")]
      const { transactions } = yield* next({ ...request, decisions: givenUp })
      assert.deepStrictEqual(transactions.map(({ covers }) => covers.at(-1)), ["MERGE"])
    }))
})

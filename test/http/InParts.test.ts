import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { atOnce } from "../../src/chain/Turns.ts"
import { AccountState } from "../../src/domain/Account.ts"
import { Plan } from "../../src/domain/Plan.ts"
import { encodedInParts } from "../../src/http/wire/InParts.ts"
import { startTestService } from "../support/TestService.ts"

/** Text and number of stops. */
const inParts = <A, I>(schema: Schema.Schema<A, I>, value: A) => {
  const work = encodedInParts(schema, value)
  let stops = 0
  let step = work.next()
  for (; step.done !== true; step = work.next()) stops++
  return { text: step.value, stops }
}

describe("an answer encoded in parts", () => {
  it.scopedLive("is what the schema makes of it, field by field, and is left after every item", () =>
    Effect.gen(function*() {
      const { call, prepared: [first] } = yield* startTestService()
      const source = first?.source.publicKey() ?? assert.fail("no account is prepared")
      const { body } = yield* call<typeof Plan.Encoded>("POST", "/v1/testnet/close/plan", { source })
      const plan = Schema.decodeSync(Plan)(body)
      const encoded = inParts(Plan, plan)
      assert.deepStrictEqual(JSON.parse(encoded.text), body)
      assert.deepStrictEqual(JSON.parse(encoded.text), Schema.encodeSync(Plan)(plan))
      assert.isAbove(encoded.stops, plan.steps.length + plan.decisionPoints.length)
      const state = yield* call<typeof AccountState.Encoded>("GET", `/testnet/account/${source}`)
      assert.include(state.headers.get("content-type"), "application/json")
      const read = Schema.decodeSync(AccountState)(state.body)
      assert.deepStrictEqual(JSON.parse(inParts(AccountState, read).text), Schema.encodeSync(AccountState)(read))
    }))

  it("holds no field that the schema does not name, leaves out what is not there, and refuses what does not fit", () => {
    const Thing = Schema.Struct({
      list: Schema.Array(Schema.Struct({ name: Schema.String })),
      note: Schema.optionalWith(Schema.String, { exact: true }),
      inner: Schema.Struct({ none: Schema.NullOr(Schema.Number), empty: Schema.Array(Schema.String) })
    })
    const value = { secret: 1, list: [{ name: "a\"\n", extra: 1 }, { name: "b" }], inner: { none: null, empty: [], more: 2 } }
    assert.strictEqual(
      atOnce(encodedInParts(Thing, value)),
      "{\"list\":[{\"name\":\"a\\\"\\n\"},{\"name\":\"b\"}],\"inner\":{\"none\":null,\"empty\":[]}}"
    )
    assert.throws(() => atOnce(encodedInParts(Thing, { ...value, list: [{ name: 1 as never }] })))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { AccountState } from "../../src/domain/Account.ts"
import { Amount, stroops } from "../../src/domain/Amount.ts"
import { optional } from "../../src/domain/OptionalField.ts"
import { Plan } from "../../src/domain/Plan.ts"
import { encodedInParts } from "../../src/http/wire/AnswerInParts.ts"
import { startTestService, withAccounts } from "../support/TestService.ts"

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
      const { call, prepared: [first] } = yield* startTestService({}, withAccounts)
      const source = first?.source.publicKey() ?? assert.fail("no account is prepared")
      const { body } = yield* call<typeof Plan.Encoded>("POST", "/v1/testnet/close/plan", { source })
      const plan = Schema.decodeSync(Plan)(body)
      const encoded = inParts(Plan, plan)
      assert.deepStrictEqual(JSON.parse(encoded.text), body)
      assert.strictEqual(encoded.text, JSON.stringify(Schema.encodeSync(Plan)(plan)))
      assert.isAbove(encoded.stops, plan.steps.length + plan.decisionPoints.length)
      const state = yield* call<typeof AccountState.Encoded>("GET", `/testnet/account/${source}`)
      assert.include(state.headers.get("content-type"), "application/json")
      const read = Schema.decodeSync(AccountState)(state.body)
      assert.strictEqual(inParts(AccountState, read).text, JSON.stringify(Schema.encodeSync(AccountState)(read)))
    }))

  it("holds no field that the schema does not name, leaves out what is not there, and refuses what does not fit", () => {
    const Thing = Schema.Struct({
      list: Schema.Array(Schema.Struct({ name: Schema.String })),
      note: optional(Schema.String),
      inner: Schema.Struct({ none: Schema.NullOr(Schema.Number), empty: Schema.Array(Schema.String) })
    })
    const value = { secret: 1, list: [{ name: "a\"\n", extra: 1 }, { name: "b" }], inner: { none: null, empty: [], more: 2 } }
    assert.strictEqual(
      atOnce(encodedInParts(Thing, value)),
      "{\"list\":[{\"name\":\"a\\\"\\n\"},{\"name\":\"b\"}],\"inner\":{\"none\":null,\"empty\":[]}}"
    )
    assert.throws(() => atOnce(encodedInParts(Thing, { ...value, list: [{ name: 1 as never }] })))
  })

  it("writes every shape as the schema does, and refuses what that refuses", () => {
    const Named = Schema.Struct({ kind: Schema.Literal("named"), name: Schema.NonEmptyString })
    const Shape = Schema.Struct({
      amount: Amount,
      either: Schema.Union(Named, Schema.Struct({ kind: Schema.Literal("counted"), count: Schema.Int })),
      perhaps: Schema.NullOr(Named),
      mixed: Schema.Union(Schema.Struct({ name: Schema.String }), Named),
      several: Schema.Union(Schema.String, Schema.Array(Schema.Number), Schema.Boolean),
      left: Schema.optional(Schema.String),
      by: Schema.Record({ key: Schema.String, value: Schema.Number }),
      any: Schema.Unknown,
      none: Schema.Struct({}),
      odd: Schema.Struct({ b: Schema.Int, 1: optional(Schema.Literal(7, null)) })
    })
    const value = {
      amount: stroops(15_000_000n),
      either: { kind: "counted", count: 3 },
      perhaps: null,
      mixed: { kind: "named", name: "both" },
      several: "a",
      by: { b: 1, a: 2 },
      any: { x: [1] },
      none: { y: 1 },
      odd: { b: 1 }
    }
    const others: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      {},
      { either: { kind: "named", name: "\u2028\ud800", more: 1 }, perhaps: { kind: "named", name: "x" } },
      { several: [1, -0, 2.5e21, Number.NaN] },
      { several: false, left: undefined, odd: { 1: null, b: 2 } },
      { left: "here", odd: { b: 1, 1: 7 }, any: undefined },
      { amount: -1n },
      { either: { kind: "named", name: "" } },
      { perhaps: undefined },
      { perhaps: { kind: "named", name: "" } },
      { several: [1, "2"] },
      { several: null },
      { by: { a: "1" } },
      { left: null }
    ]
    const Encodes = Schema.Struct({ all: Schema.Array(Shape) })
    const outcome = (make: () => string) => Either.mapLeft(Either.try(make), () => "refused")
    for (const other of others) {
      const whole = { all: [{ ...value, ...other }] }
      assert.deepStrictEqual(
        outcome(() => atOnce(encodedInParts(Schema.make<unknown>(Encodes.ast), whole))),
        outcome(() => JSON.stringify(Schema.encodeUnknownSync(Encodes)(whole)))
      )
    }
  })
})

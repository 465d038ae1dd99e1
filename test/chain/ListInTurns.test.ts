import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { decodeError } from "../../src/chain/DecodeError.ts"
import { listInTurns } from "../../src/chain/pace/Turns.ts"
import { Amount } from "../../src/domain/Amount.ts"

const Line = Schema.Struct({ balance: Amount, name: Schema.String })
const Answer = Schema.Struct({ lines: listInTurns(Line) })
const Plain = Schema.Struct({ lines: Schema.Array(Line) })

const lines = (count: number) => ({ lines: Array.from({ length: count }, (_, at) => ({ balance: `${at}.0000001`, name: `line ${at}` })) })

/** The decoded value, or the place of the decode error. */
const outcome = <A, I>(schema: Schema.Schema<A, I>, value: unknown) =>
  Effect.map(Effect.either(Schema.decodeUnknown(schema)(value)), Either.mapLeft(decodeError))

describe("a list that is decoded in turns", () => {
  it.effect("is what the list decodes to at once, and fails where that fails", () =>
    Effect.gen(function*() {
      const odd = { lines: lines(9).lines.with(7, { balance: "-1", name: "a debt" }) }
      for (const value of [lines(0), lines(9), odd, { lines: null }, { lines: {} }, {}]) {
        assert.deepStrictEqual(yield* outcome(Answer, value), yield* outcome(Plain, value))
      }
      assert.deepStrictEqual(yield* outcome(Answer, odd), Either.left("does not decode at lines.7.balance"))
    }))

  it.effect("is written as it was read", () =>
    Effect.gen(function*() {
      const read = yield* Schema.decodeUnknown(Answer)(lines(9))
      assert.deepStrictEqual(yield* Schema.encode(Answer)(read), lines(9))
    }))

  it.live("lets the event loop turn before a long one is done", () =>
    Effect.gen(function*() {
      let turns = 0
      let done = false
      const count = () => {
        turns++
        if (!done) setImmediate(count)
      }
      setImmediate(count)
      const { lines: decoded } = yield* Schema.decodeUnknown(Answer)(lines(50_000))
      done = true
      assert.lengthOf(decoded, 50_000)
      assert.isAbove(turns, 2)
    }))
})

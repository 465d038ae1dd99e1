import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { resolvedName } from "../../src/cli/Addressee.ts"
import { accountRows } from "../../src/cli/batch/AccountRows.ts"
import { typedMemo } from "../../src/cli/MemoOption.ts"
import type { MemoType } from "../../src/domain/Memo.ts"
import { federatedName } from "./support/FederationServer.ts"

const [source, destination] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
const parties = `${source},${destination}`

/** The memo of a batch of one line. */
const memoOf = (end: string) =>
  Effect.map(accountRows(`source,destination,memo_type,memo\n${parties},${end}\n`), ([row]) => row?.memo ?? null)

describe("destinations and their memos", () => {
  it.effect("reads fields of a batch with quotes, commas and spaces", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* memoOf("id, 4711 "), { type: "id", value: "4711" })
      assert.deepStrictEqual(yield* memoOf("text,\"a, \"\"b\"\"\""), { type: "text", value: "a, \"b\"" })
      assert.deepStrictEqual(yield* memoOf("\"text\",\"12\""), { type: "text", value: "12" })
      assert.isNull(yield* memoOf(","))
    }))

  it.effect("takes a mediator from a batch only where it is an account", () =>
    Effect.gen(function*() {
      const mediator = Keypair.random().publicKey()
      const rowsOf = (named: string) => accountRows(`source,destination,mediator\n${parties},${named}\n`)
      assert.deepStrictEqual((yield* rowsOf(mediator)).map((row) => row.mediator), [mediator])
      assert.deepStrictEqual((yield* rowsOf("")).map((row) => row.mediator), [null])
      assert.include((yield* Effect.flip(rowsOf("GMEDIATOR"))).message, "Line 2 ")
    }))

  for (const memo of [" ", "\u3164", "47\u200b11", "\u202a4711", "47\u00a011", "4711\u0007", "a\u034fb"]) {
    it.scoped(`takes the memo ${JSON.stringify(memo)} neither typed, nor from a batch or a federation server`, () =>
      Effect.gen(function*() {
        const answer = JSON.stringify({ account_id: destination, memo_type: "text", memo })
        const failures = yield* Effect.all([
          Effect.flip(typedMemo({ memo: Option.some(memo), memoType: Option.none() })),
          Effect.flip(memoOf(`text,"${memo}"`)),
          Effect.flip(Effect.flatMap(federatedName(answer), resolvedName))
        ])
        for (const { code, message } of failures) {
          assert.strictEqual(code, "wrong_input")
          assert.match(message, /The memo (is blank|has an invisible character)/)
        }
        assert.include(failures[1].message, "Line 2 ")
      }))
  }

  it.effect("takes no memo of which a part is missing", () =>
    Effect.gen(function*() {
      const refusal = (memo: Option.Option<string>, memoType: Option.Option<MemoType>) =>
        Effect.map(Effect.flip(typedMemo({ memo, memoType })), ({ message }) => message)
      assert.include(yield* refusal(Option.some("--memo-type"), Option.none()), "--memo is followed by --memo-type")
      assert.include(yield* refusal(Option.some(""), Option.some("id")), "The memo is blank")
      assert.include(yield* refusal(Option.none(), Option.some("text")), "--memo-type stands without --memo")
    }))

  it.effect("takes a typed memo whose characters are all seen", () =>
    Effect.gen(function*() {
      for (const value of ["4711", "-1", "deposit 7", " é 基金 😀 "]) {
        const typed = (memoType: Option.Option<MemoType>) => typedMemo({ memo: Option.some(value), memoType })
        assert.deepStrictEqual(yield* typed(Option.none()), { type: "text", value })
        assert.deepStrictEqual(yield* typed(Option.some("id")), { type: "id", value })
      }
      assert.isNull(yield* typedMemo({ memo: Option.none(), memoType: Option.none() }))
    }))

  for (const end of [", \"12345\"", "text,ab\"cd", "text,\"12\"34", "text,\"12", "text,\"a\" ", "text,a\"\""]) {
    it.effect(`refuses a line of a batch that ends in ${end}, and says which`, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(memoOf(end))
        assert.strictEqual(failure.code, "wrong_input")
        assert.include(failure.message, "Line 2 ")
      }))
  }

  it.scoped("takes a memo of a federation server only where it is exact", () =>
    Effect.gen(function*() {
      const answerWith = (memo: string) => `{"account_id":"${destination}","memo_type":"id","memo":${memo}}`
      const memoFrom = (memo: string) => Effect.flatMap(federatedName(answerWith(memo)), resolvedName)
      assert.deepStrictEqual((yield* memoFrom("4711")).memo, { type: "id", value: "4711" })
      assert.deepStrictEqual((yield* memoFrom("\"9007199254740993\"")).memo, { type: "id", value: "9007199254740993" })
      assert.deepStrictEqual((yield* memoFrom("9007199254740991")).memo, { type: "id", value: "9007199254740991" })
      for (const memo of ["9007199254740993", "18446744073709551615", "1.5"]) {
        const failure = yield* Effect.flip(memoFrom(memo))
        assert.deepStrictEqual([failure.code, failure.retry], ["wrong_input", "after_fix"], memo)
      }
    }))
})

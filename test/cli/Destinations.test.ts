import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { resolvedName } from "../../src/cli/Addressee.ts"
import { accountRows } from "../../src/cli/batch/AccountRows.ts"
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

import { assert } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { decoded } from "./support/Signing.ts"

const unseen: ReadonlyArray<readonly [what: string, memo: string]> = [
  ["nothing", ""],
  ["blanks", " \u00a0\u2003"],
  ["controls", "\u0000\u0007\t\r\n\u007f"],
  ["what takes no width", "\u200b\u200c\u200d\u2060\ufeff"],
  ["a turn of direction", "\u202e\u2066"],
  ["a soft hyphen", "\u00ad"],
  ["fillers", "\u3164\u115f\uffa0"],
  ["a braille cell without dots", "\u2800"],
  ["tags and variation selectors", "\u{e0041}\ufe0f"]
]

/** Memos with a visible character; in the last one it stands between invisible ones. */
const seen = ["0", ".", "é", "👍", "کد", "\u200b7\u0000"]

const halves = ["\ud800", "\udc00", "deposit \udfff 7", "\udc00\ud800"]

layer(Service.layer(), { excludeTestServices: true })("a memo", (it) => {
  /** An account, and a destination that requires a memo. */
  const asking = Effect.gen(function*() {
    const { on } = yield* Service
    const { destination, source } = yield* on(Pair())
    yield* on(perform("SEP-29", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] }))
    return { source: source.publicKey(), destination: destination.publicKey(), decisions: [acknowledges(destination.publicKey())] }
  })

  it.effect("that shows nothing is no memo, to a destination that asks for one and to an exchange", () =>
    Effect.gen(function*() {
      const own = yield* asking
      const { payments } = yield* exchanges
      for (const request of [own, { ...own, destination: payments }]) {
        for (const [what, value] of unseen) {
          for (const memo of [value, { type: "text", value } as const]) {
            const asked = yield* plan({ ...request, memo })
            assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["memo_required"], what)
            assert.strictEqual((yield* refusal("next", { ...request, memo })).code, "memo_required", what)
          }
        }
      }
    }))

  it.effect("that shows anything is one, and travels as it was given", () =>
    Effect.gen(function*() {
      const request = yield* asking
      for (const memo of seen) {
        const transaction = yield* offered({ ...request, memo })
        const { memo: read } = yield* decoded(transaction)
        assert.strictEqual(Buffer.from(read.value ?? "").toString("utf8"), memo)
        assert.deepStrictEqual(transaction.intent.memo, { type: "text", value: memo })
      }
    }))

  it.effect("with half of a surrogate pair is refused, since no bytes stand for it", () =>
    Effect.gen(function*() {
      const request = yield* asking
      for (const half of halves) {
        for (const memo of [half, { type: "text", value: half } as const]) {
          for (const route of ["plan", "next"] as const) {
            const { code, details, status } = yield* refusal(route, { ...request, memo })
            assert.deepStrictEqual([status, code, details["memoType"]], [400, "invalid_memo", "text"], JSON.stringify(half))
            assert.match(String(details["rule"]), /surrogate/)
          }
        }
      }
    }))

  it.effect("is told as the envelope carries it, not as it was asked for", () =>
    Effect.gen(function*() {
      const request = yield* asking
      const told = [
        [{ type: "hash", value: "0F".repeat(32) }, { type: "hash", value: "0f".repeat(32) }],
        [{ type: "return", value: "aB".repeat(32) }, { type: "return", value: "ab".repeat(32) }],
        [{ type: "id", value: "18446744073709551615" }, { type: "id", value: "18446744073709551615" }]
      ] as const
      for (const [memo, intent] of told) assert.deepStrictEqual((yield* offered({ ...request, memo })).intent.memo, intent)
    }))
})

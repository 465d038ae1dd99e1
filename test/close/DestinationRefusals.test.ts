import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { anyContract } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal, submit } from "./support/Client.ts"
import { acknowledged, judged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { muxedOf } from "./support/Muxed.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

layer(Service.layer(), { excludeTestServices: true })("a destination in no registry is refused:", (it) => {
  it.effect("of a form that no merge can reach, or the source itself", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const wrong = [
        muxedOf(source.publicKey(), 7n),
        muxedOf(destination.publicKey(), 7n).slice(0, -1),
        anyContract(),
        source.publicKey(),
        destination.publicKey().slice(0, -1),
        ""
      ]
      for (const address of wrong) {
        for (const route of ["plan", "next"] as const) {
          assert.deepInclude(yield* refusal(route, { source: source.publicKey(), destination: address }), {
            status: 400,
            code: "invalid_destination"
          }, address)
        }
      }
    }))

  it.effect("that does not exist", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const nobody = Keypair.random()
      const { blockers, reasons, refusal: refused, status } = yield* judged(acknowledged(source, nobody))
      assert.deepStrictEqual([status, reasons], ["blocked", ["destination_unusable"]])
      assert.deepInclude(refused, { status: 422, code: "destination_unusable" })
      assert.deepStrictEqual(refused.details, { problems: [blockers[0]?.message] })
    }))

  it.effect("whose signers can never move what it receives", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("locked for ever", {
        as: destination,
        operations: [
          Operation.setOptions({ signer: { preAuthTx: randomBytes(32), weight: 9 } }),
          Operation.setOptions({ masterWeight: 1, medThreshold: 2, highThreshold: 2 })
        ]
      }))
      const { reasons, refusal: refused } = yield* judged(acknowledged(source, destination))
      assert.deepStrictEqual(reasons, ["destination_unusable"])
      assert.strictEqual(refused.code, "destination_unusable")
    }))

  it.effect("unless its owner acknowledges exactly this address", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "needs_decisions")
      const point = pointOf(asked, `destination:${destination.publicKey()}`)
      assert.deepInclude(point, { required: true, answered: false, default: null })
      assert.isUndefined(point.options[0]?.recommended)
      const details = { decisionId: point.id, choice: "i_control_this_address" }
      const expected = { status: 422, code: "destination_not_acknowledged", details, retry: "after_fix", retryAfter: null }
      assert.deepStrictEqual(yield* refusal("next", request), expected)
      const other = acknowledges(Keypair.random().publicKey())
      assert.deepStrictEqual(yield* refusal("next", { ...request, decisions: [other] }), expected)
      assert.deepStrictEqual((yield* plan({ ...request, decisions: [other] })).unusedDecisions, [other.id])
    }))

  it.effect("that itself asks for a memo, until one is given", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("SEP-29", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] }))
      const request = acknowledged(source, destination)
      const { reasons, refusal: refused } = yield* judged(request)
      assert.deepStrictEqual(reasons, ["memo_required"])
      assert.deepStrictEqual(refused, {
        status: 422,
        code: "memo_required",
        details: { memoType: null },
        retry: "after_fix",
        retryAfter: null
      })
      assert.strictEqual((yield* refusal("next", { ...request, memo: " " })).code, "memo_required")
      const transaction = yield* offered({ ...request, memo: "deposit 7" })
      const read = yield* decoded(transaction)
      assert.deepStrictEqual([read.memo.type, Buffer.from(read.memo.value ?? "").toString()], ["text", "deposit 7"])
      assert.deepStrictEqual(transaction.intent.memo, { type: "text", value: "deposit 7" })
      yield* submit(yield* signed(transaction, source))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("whose data entry says anything but 1 asks for no memo", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(
        perform("not SEP-29", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "0" })] })
      )
      assert.strictEqual((yield* plan(acknowledged(source, destination))).status, "ready")
    }))

  it.effect("with a memo the ledger does not know", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = acknowledged(source, destination)
      const wrong = [
        { type: "text", value: "x".repeat(29) },
        { type: "text", value: "é".repeat(15) },
        { type: "id", value: (2n ** 64n).toString() },
        { type: "id", value: "-1" },
        { type: "id", value: "01" },
        { type: "id", value: "" },
        { type: "hash", value: "a".repeat(63) },
        { type: "return", value: "g".repeat(64) }
      ] as const
      for (const memo of wrong) {
        for (const route of ["plan", "next"] as const) {
          const refused = yield* refusal(route, { ...request, memo })
          assert.deepInclude(refused, { status: 400, code: "invalid_memo" }, JSON.stringify(memo))
          assert.strictEqual(refused.details["memoType"], memo.type)
          assert.isString(refused.details["rule"])
        }
      }
      assert.deepInclude(yield* refusal("plan", { ...request, memo: { type: "none", value: "" } }), { status: 400, code: "invalid_body" })
    }))

  it.effect("with a memo at its limits, which the ledger takes as given", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const right = [
        { type: "text", value: "x".repeat(28) },
        { type: "text", value: "" },
        { type: "text", value: "é".repeat(14) },
        { type: "id", value: "18446744073709551615" },
        { type: "id", value: "0" },
        { type: "hash", value: "0F".repeat(32) },
        { type: "return", value: "ab".repeat(32) }
      ] as const
      for (const memo of right) {
        const { destination, source } = yield* on(Pair())
        const transaction = yield* offered({ ...acknowledged(source, destination), memo })
        const { memo: read } = yield* decoded(transaction)
        const shown = read.value ?? ""
        const value = typeof shown === "string" ? shown : Buffer.from(shown).toString(memo.type === "text" ? "utf8" : "hex")
        assert.deepStrictEqual([read.type, value], [
          memo.type,
          memo.type === "text" || memo.type === "id" ? memo.value : memo.value.toLowerCase()
        ])
        yield* submit(yield* signed(transaction, source))
        assert.strictEqual(yield* accountOf(source), null)
      }
    }))
})

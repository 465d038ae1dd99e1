import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../../support/Layered.ts"
import { passing } from "../../../tokens/support/Approving.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { gift, holder } from "./support/Holder.ts"

/** Two contract RPCs, and a scan that gets to 100 ledgers of each in one request. */
const shortScans = Layer.unwrapScoped(Effect.map(tokenList, ({ file }) =>
  sourcesService(2, {
    TESTNET_TOKENS_FILE: file,
    EVENT_WINDOW_LEDGERS: "100",
    EVENT_SCAN_REQUESTS: "1"
  })))

/** An account whose only token came before the ledgers that the first scan gets to. */
const holding = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, request, source } = yield* holder
  const { token } = yield* gift(source, 500n)
  yield* on(passing(150))
  return { token, asked: { ...request, decisions: [acknowledges(destination.publicKey())] } }
})

layer(shortScans, { excludeTestServices: true })("transfers that were not all scanned", (it) => {
  it.effect("are a required point that names the ledgers, and the plan warns of them", () =>
    Effect.gen(function*() {
      const { asked, token } = yield* holding
      const first = yield* plan(asked)
      const others = pointOf(first, "tokens:others")
      assert.deepStrictEqual([first.status, others.required, others.answered], ["needs_decisions", true, false])
      assert.match(others.subject, /transfers in ledgers \d+ to \d+, not all of which were scanned/)
      assert.deepInclude(first.warnings.map(({ code, subject }) => [code, subject]), ["tokens_not_checked", "events"])
      const second = yield* plan(asked)
      pointOf(second, `token:${token}`)
      assert.isFalse(pointOf(second, "tokens:others").required, "the second plan scans the rest")
    }), 60_000)

  it.effect("let nothing be merged unasked, and an answer gives up what is in them", () =>
    Effect.gen(function*() {
      const { asked, token } = yield* holding
      const unasked = yield* refusal("next", asked)
      assert.deepInclude(unasked, { code: "needs_decisions", details: { missing: ["tokens:others"] } })
      const { details } = yield* refusal("next", asked)
      assert.include(details?.["missing"], `token:${token}`)
      const other = yield* holding
      const others = pointOf(yield* plan(other.asked), "tokens:others")
      const answered = yield* plan({ ...other.asked, decisions: [...other.asked.decisions, echo(others, "forfeit")] })
      assert.strictEqual(answered.status, "ready")
    }), 60_000)

  it.effect("are not given up by an answer about other ledgers, nor by one about what was found", () =>
    Effect.gen(function*() {
      const { asked } = yield* holding
      const others = pointOf(yield* plan(asked), "tokens:others")
      const { gap, maxCount } = others.options[0]?.params ?? {}
      if (gap === null || gap === undefined) return assert.fail("the option names no ledgers")
      assert.isAbove(gap.toLedger - gap.fromLedger, 700, "it lasts for an hour")
      for (const params of [{ maxCount }, { maxCount, gap: null }, { maxCount, gap: { ...gap, fromLedger: gap.fromLedger + 10 } }]) {
        const other = yield* holding
        const given = { ...other.asked, decisions: [...other.asked.decisions, { id: others.id, choice: "forfeit", params }] }
        const refused = yield* refusal("next", given)
        assert.deepInclude(refused, { code: "plan_changed" })
        assert.deepInclude(refused.details?.["changes"], { kind: "facts", subject: "tokens:others" })
      }
      const other = yield* holding
      const given = { ...other.asked, decisions: [...other.asked.decisions, { id: others.id, choice: "forfeit", params: { maxCount } }] }
      assert.deepInclude(pointOf(yield* plan(given), others.id), { required: true, answered: false })
    }), 60_000)
})

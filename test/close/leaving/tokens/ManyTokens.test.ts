import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken, sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { isThorough } from "../../../support/Thorough.ts"
import { acknowledges, answersTo, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, gift, held, holder } from "./support/Holder.ts"

/** Makes strangers emit transfer events to an account in this many tokens, with a balance in each. */
const gifted = (to: Keypair, many: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const crier = Keypair.random()
    yield* on(fund("1000", crier))
    const tokens: Array<string> = []
    for (let at = 0; at < many; at++) {
      const token = yield* on(deployToken({ symbol: `G${at}` }))
      yield* on(mintToken(token, crier.publicKey(), 1n))
      tokens.push(token)
    }
    for (const token of tokens) yield* on(sendToken(token, crier, to.publicKey(), 1n))
  })

layer(tokensService(), { excludeTestServices: true })("tokens that strangers send", (it) => {
  it.effect("can be answered for together before there are too many, those still to come with them", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const [one, two] = [yield* gift(source, 3n), yield* gift(source, 4n)]
      const asked = yield* plan(request)
      const others = pointOf(asked, "tokens:others")
      assert.deepStrictEqual([others.type, others.required, others.default], ["tokens", false, null])
      assert.include(others.subject, one.token)
      const decisions = [acknowledges(destination.publicKey()), echo(others, "forfeit")]
      // More tokens arrive while the owner answers.
      const three = yield* gift(source, 5n)
      const told = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([told.status, told.unusedDecisions], ["ready", []])
      assert.deepStrictEqual(told.decisionPoints.filter(({ type }) => type === "token"), [])
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["MERGE"])
      for (const [{ token }, amount] of [[one, 3n], [two, 4n], [three, 5n]] as const) {
        assert.strictEqual(yield* held(token, source), amount)
      }
    }))

  it.effect("are left behind where the owner said that what came later is, but not one that was asked about by name", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const first = yield* gift(source, 3n)
      const asked = yield* plan(request)
      const later = pointOf(asked, "later")
      const decisions = [...answersTo(asked, "acknowledge_residue"), echo(later, "leave_what_came_later")]
      assert.includeMembers(decisions.map(({ id }) => id), [`token:${first.token}`, `destination:${destination.publicKey()}`])
      yield* gift(source, 7n)
      const told = yield* plan({ ...request, decisions })
      assert.strictEqual(told.status, "ready", JSON.stringify(told.decisionPoints))
      assert.include(told.warnings.map(({ code, subject }) => `${code} ${subject}`), "came_later tokens")
      // Without that answer the new token gets a question.
      const refused = yield* refusal("next", { ...request, decisions: decisions.slice(0, -1) })
      assert.strictEqual(refused.code, "needs_decisions", JSON.stringify(refused))
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["MERGE"])
    }))

  it.effect("are asked about where the plan saw them, also when a unit more came later", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 3_000n)
      const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later")
      assert.include(later.params?.had ?? [], `token:${token}`)
      yield* on(sendToken(token, giver, source.publicKey(), 1n))
      const given = { ...request, decisions: [acknowledges(destination.publicKey()), later] }
      const told = yield* plan(given)
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
      // The answer is repeated unchanged: later tokens never count as seen, and seen ones never as later.
      assert.deepStrictEqual(pointOf(told, "later").options[0]?.params, later.params)
      assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [`token:${token}`] } })
      // A token hidden from the plan does not count as a later gift, and gets a question as well.
      const hidden = { ...later, params: { ...later.params, had: [] } }
      const unseen = yield* plan({ ...given, decisions: [acknowledges(destination.publicKey()), hidden] })
      assert.deepInclude(pointOf(unseen, `token:${token}`), { required: true, answered: false })
      assert.deepStrictEqual(
        yield* refusal("next", { ...request, decisions: [{ ...later, params: { ledger: 1 } }] }).pipe(Effect.map(({ code }) => code)),
        "invalid_decisions"
      )
    }))

  it.effect(
    "do not stop a close when there are more than are looked at: one answer is for all of them, and its number is its limit",
    () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        yield* gifted(source, 110)
        const asked = yield* plan(request)
        const others = pointOf(asked, "tokens:others")
        assert.isTrue(others.required, others.subject)
        const answer = echo(others, "forfeit")
        const decisions = [acknowledges(destination.publicKey()), answer]
        const few = [decisions[0], { ...answer, params: { maxCount: 50 } }]
        assert.strictEqual((yield* refusal("next", { ...request, decisions: few })).code, "plan_changed")
        assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["MERGE"])
      }),
    120_000
  )

  it.effect.runIf(isThorough)(
    "do not hide one that came before them, nor one that the plan saw",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, request, source } = yield* holder
        const early = yield* gift(source, 3n)
        yield* gifted(source, 110)
        const late = yield* gift(source, 4n)
        yield* on(sendToken(early.token, early.giver, source.publicKey(), 1n))
        const asked = yield* plan(request)
        pointOf(asked, `token:${early.token}`)
        assert.notInclude(asked.decisionPoints.map(({ id }) => id), `token:${late.token}`)
        const later = echo(pointOf(asked, "later"), "leave_what_came_later")
        const seen = { ...later, params: { ...later.params, had: [`token:${late.token}`] } }
        pointOf(yield* plan({ ...request, decisions: [acknowledges(destination.publicKey()), seen] }), `token:${late.token}`)
      }),
    120_000
  )
})

layer(tokensService(["lend_1"]), { excludeTestServices: true })("more tokens that strangers send than are looked at", (it) => {
  it.effect.runIf(isThorough)(
    "do not hide one that the account itself sent on",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { request, source } = yield* holder
        yield* gifted(source, 110)
        const own = yield* gift(source, 4n)
        yield* on(sendToken(own.token, source, own.giver.publicKey(), 1n))
        yield* laterLedger
        pointOf(yield* plan(request), `token:${own.token}`)
      }),
    120_000
  )
})

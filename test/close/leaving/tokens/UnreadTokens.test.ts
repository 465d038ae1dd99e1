import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ServiceUnavailable } from "../../../../src/sandbox/faults/ServerErrors.ts"
import { sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { jumping } from "../../../support/JumpingClock.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, gift, holder, turns } from "./support/Holder.ts"

layer(Layer.provideMerge(tokensService(), jumping), { excludeTestServices: true })("tokens that are not read", (it) => {
  it.effect(
    "because their source fails are no consent: nothing is planned and nothing built, whatever is answered",
    () =>
      Effect.gen(function*() {
        const { sandbox: { faults } } = yield* Service
        const { destination, request, source } = yield* holder
        yield* gift(source, 5n)
        const decisions = [acknowledges(destination.publicKey()), { id: "tokens:others", choice: "forfeit", params: { maxCount: 1000 } }]
        // Another account, of which nothing is cached.
        yield* Effect.acquireUseRelease(
          faults.set({ fault: new ServiceUnavailable({}), rpc: "getEvents" }),
          () =>
            Effect.gen(function*() {
              assert.strictEqual((yield* refusal("plan", { ...request, decisions })).status, 503)
              assert.strictEqual((yield* refusal("next", { ...request, decisions })).status, 503)
            }),
          (id) => faults.clear(id)
        )
        assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["MERGE"])
      }),
    60_000
  )

  it.effect(
    "because the token does not tell are asked about, and an answer about an amount is none about them",
    () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 5n, { family: "book" })
        const own = acknowledges(destination.publicKey())
        const readable = pointOf(yield* plan(request), `token:${token}`)
        const byAmount = [own, echo(readable, "acknowledge_residue")]
        assert.strictEqual((yield* plan({ ...request, decisions: byAmount })).status, "ready")
        yield* turns(token, { _tag: "Fails", functions: ["balance"] })
        const asked = yield* plan({ ...request, decisions: byAmount })
        const point = pointOf(asked, `token:${token}`)
        assert.deepStrictEqual([asked.status, point.answered, asked.blockers], ["needs_decisions", false, []])
        assert.deepStrictEqual(point.options.map(({ id, needs, params }) => ({ id, needs, params })), [
          { id: "acknowledge_residue", needs: [], params: { unreadable: true } }
        ])
        assert.strictEqual((yield* refusal("next", { ...request, decisions: byAmount })).code, "plan_changed")
        assert.strictEqual((yield* refusal("next", { ...request, decisions: [own] })).code, "needs_decisions")
        const byName = [own, echo(point, "acknowledge_residue")]
        // The token reports its balance again: that balance counts, and the earlier answer no longer fits.
        yield* turns(token, { _tag: "Fails", functions: ["burn"] })
        assert.strictEqual((yield* refusal("next", { ...request, decisions: byName })).code, "plan_changed")
        yield* turns(token, { _tag: "Fails", functions: ["balance"] })
        assert.deepStrictEqual((yield* closed({ ...request, decisions: byName }, source)).covered, ["MERGE"])
      }),
    60_000
  )

  it.effect(
    "because the token does not tell are given up by no answer about many, once the account itself had to do with them",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, request, source } = yield* holder
        const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later")
        const [given, own] = [yield* gift(source, 5n, { family: "book" }), yield* gift(source, 5n, { family: "book" })]
        yield* on(sendToken(own.token, source, own.giver.publicKey(), 1n))
        for (const { token } of [given, own]) yield* turns(token, { _tag: "Fails", functions: ["balance"] })
        const others = { id: "tokens:others", choice: "forfeit", params: { maxCount: 1000 } }
        const asked = yield* plan({ ...request, decisions: [acknowledges(destination.publicKey()), later, others] })
        assert.deepInclude(pointOf(asked, `token:${own.token}`), { required: true, answered: false })
        assert.notInclude(asked.decisionPoints.map(({ id }) => id), `token:${given.token}`)
      }),
    60_000
  )
})

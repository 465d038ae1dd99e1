import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Behaviour } from "../../../../src/sandbox/contracts/tokens/Behaviour.ts"
import type { NewToken } from "../../../../src/sandbox/contracts/tokens/NewToken.ts"
import { sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { type Answer, plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, gift, holder, turns } from "./support/Holder.ts"

/** A token of unlisted code that keeps its books in an entry of its own. */
const unlisted: NewToken = { family: "book" }

const silent: Behaviour = { _tag: "Fails", functions: ["balance"] }

/** An account without tokens, and the answer `later` of its plan, with the tokens of that plan or those of the test. */
const Planned = (had?: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const held = yield* holder
    const later = echo(pointOf(yield* plan(held.request), "later"), "leave_what_came_later", had === undefined ? {} : { had })
    const given = { ...held.request, decisions: [acknowledges(held.destination.publicKey()), later] satisfies ReadonlyArray<Answer> }
    yield* laterLedger
    return { ...held, given, later }
  })

/** The account itself sends one unit of a token back. */
const sendsOne = (
  { giver, source, token }: Effect.Effect.Success<ReturnType<typeof gift>> & Pick<Effect.Effect.Success<typeof holder>, "source">
) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    yield* on(sendToken(token, source, giver.publicKey(), 1n))
    yield* laterLedger
  })

/** Checks that plan and build require a decision about the token, and leave none as a later gift. */
const isAskedAbout = (given: Parameters<typeof plan>[0], token: string) =>
  Effect.gen(function*() {
    const told = yield* plan(given)
    assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
    assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [`token:${token}`] } })
  })

const tokens: ReadonlyArray<readonly [what: string, token: NewToken, ...behaviours: ReadonlyArray<Behaviour>]> = [
  ["of unlisted code", unlisted],
  ["of unlisted code that tells no balance", unlisted, silent]
]

const noRoom = Array.from({ length: 4000 }, (_, at) => `claim:${at.toString(16).padStart(72, "0")}`)

layer(tokensService(), { excludeTestServices: true })("a token that the answer for what comes later", (it) => {
  for (const [what, kind, ...behaviours] of tokens) {
    it.effect(`covers is left behind where the plan did not see it: ${what}`, () =>
      Effect.gen(function*() {
        const { given, source } = yield* Planned()
        const { token } = yield* gift(source, 5n, kind)
        if (behaviours.length > 0) yield* turns(token, ...behaviours)
        const { covered, plan: ready } = yield* closed(given, source)
        assert.deepStrictEqual(covered, ["MERGE"])
        assert.deepStrictEqual(ready.warnings.filter(({ code }) => code === "came_later").map(({ subject }) => subject), ["tokens"])
        assert.notInclude(ready.decisionPoints.map(({ id }) => id), `token:${token}`)
      }))

    it.effect(`does not cover where a call of the account itself names it: ${what}`, () =>
      Effect.gen(function*() {
        const { given, source } = yield* Planned()
        const owned = yield* gift(source, 5n, kind)
        yield* sendsOne({ ...owned, source })
        if (behaviours.length > 0) yield* turns(owned.token, ...behaviours)
        yield* isAskedAbout(given, owned.token)
      }))

    it.effect(`does not cover where the plan saw more than it could name: ${what}`, () =>
      Effect.gen(function*() {
        const { given, source } = yield* Planned(noRoom)
        const { token } = yield* gift(source, 5n, kind)
        if (behaviours.length > 0) yield* turns(token, ...behaviours)
        yield* isAskedAbout(given, token)
      }))

    it.effect(`does not cover where the plan saw it: ${what}`, () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 5n, kind)
        if (behaviours.length > 0) yield* turns(token, ...behaviours)
        const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later")
        assert.include(later.params?.had ?? [], `token:${token}`)
        yield* laterLedger
        yield* isAskedAbout({ ...request, decisions: [acknowledges(destination.publicKey()), later] }, token)
      }))
  }

  it.effect("does not cover where a call of the account itself names it, though listed code keeps it and all of it came since", () =>
    Effect.gen(function*() {
      const { given, source } = yield* Planned()
      const mine = yield* gift(source, 5n)
      const other = yield* gift(source, 7n)
      yield* sendsOne({ ...mine, source })
      const told = yield* plan(given)
      assert.deepInclude(pointOf(told, `token:${mine.token}`), { required: true, answered: false })
      assert.notInclude(told.decisionPoints.map(({ id }) => id), `token:${other.token}`)
      assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [`token:${mine.token}`] } })
    }))
})

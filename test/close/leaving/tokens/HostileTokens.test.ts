import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Behaviour } from "../../../../src/sandbox/contracts/tokens/Behaviour.ts"
import { EntryArchived } from "../../../../src/sandbox/events/EntryArchived.ts"
import { approveSpender, deployToken, mintToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { layer } from "../../../support/Layered.ts"
import { isThorough } from "../../../support/Thorough.ts"
import { acknowledges, answersTo, echo, pointOf, withAnswer } from "../../support/Answering.ts"
import { offered, plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { balanceEntry, closed, gift, held, holder, turns } from "./support/Holder.ts"

/** A holder of a turned token, with the answers that send it away, and those that leave it. */
const scene = (...behaviours: ReadonlyArray<Behaviour>) =>
  Effect.gen(function*() {
    const held = yield* holder
    const { token } = yield* gift(held.source, 1_000_000n)
    const asked = yield* plan(held.request)
    const point = pointOf(asked, `token:${token}`)
    const others = answersTo(asked).filter(({ id }) => id !== point.id)
    yield* turns(token, ...behaviours)
    return {
      ...held,
      token,
      id: point.id,
      sending: [...others, echo(point, "transfer_to_account", { destination: held.destination.publicKey() })],
      leaving: [...others, echo(point, "acknowledge_residue")]
    }
  })

const somebody = Keypair.random().publicKey()

const hostile: ReadonlyArray<readonly [what: string, code: string, reason: RegExp, ...behaviours: ReadonlyArray<Behaviour>]> = [
  ["traps", "simulation_failed", /HostError/, { _tag: "Fails", functions: ["transfer"] }],
  ["refuses by an error", "simulation_failed", /#7/, { _tag: "Fails", functions: ["transfer"], code: 7 }],
  ["calls itself again", "simulation_failed", /HostError/, { _tag: "Reenters", functions: ["transfer"] }],
  ["does nothing", "token_unsafe", /does not show|would take 0 base units/, { _tag: "Ignores", functions: ["transfer"] }],
  ["keeps a fee", "token_unsafe", /900000 of the 1000000 base units would reach/, { _tag: "TakesFee", basisPoints: 1000 }]
]

layer(tokensService(), { excludeTestServices: true })("a token whose transfer means harm", (it) => {
  for (const [what, code, reason, ...behaviours] of hostile) {
    it.effect(`is not sent away, the plan says why, and leaving it by name closes: ${what}`, () =>
      Effect.gen(function*() {
        const { destination, id, leaving, request, sending, source, token } = yield* scene(...behaviours)
        const asked = yield* plan({ ...request, decisions: sending })
        assert.strictEqual(asked.status, "needs_decisions", JSON.stringify(asked.blockers))
        const point = pointOf(asked, id)
        assert.deepStrictEqual([point.required, point.answered], [true, false])
        const refused = yield* refusal("next", { ...request, decisions: sending })
        assert.strictEqual(refused.code, code, JSON.stringify(refused))
        assert.match(String(refused.details["reason"]), reason)
        assert.include(point.options.find((option) => option.id === "transfer_to_account")?.note ?? "", String(refused.details["reason"]))
        const { covered, plan: ready } = yield* closed({ ...request, decisions: leaving }, source)
        assert.deepStrictEqual(covered, ["MERGE"])
        assert.include(ready.warnings.map(({ code: warned, subject }) => `${warned} ${subject}`), `forfeit_acknowledged ${id}`)
        assert.deepStrictEqual([yield* held(token, source), yield* held(token, destination)], [1_000_000n, 0n])
      }))
  }

  it.effect("takes another amount than it says of a balance whose entry is archived", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { request, sending, source, token } = yield* scene()
      yield* on(new EntryArchived({ key: balanceEntry(token, source.publicKey()).toXdr("base64") }).happen())
      yield* turns(token, { _tag: "MovesMore", extra: -1n })
      const refused = yield* refusal("next", { ...request, decisions: sending })
      assert.strictEqual(refused.code, "token_unsafe", JSON.stringify(refused))
      assert.match(String(refused.details["reason"]), /would take 999999 base units .* to transfer 1000000/)
    }))

  it.effect("takes more than it says: not even what is held beyond the transfer goes", () =>
    Effect.gen(function*() {
      const { id, request, sending, token } = yield* scene()
      // The answer covered the whole balance; now the token moves one unit more than the call says, which the account does not have.
      yield* turns(token, { _tag: "MovesMore", extra: -1n })
      const refused = yield* refusal("next", { ...request, decisions: sending })
      assert.strictEqual(refused.code, "token_unsafe", JSON.stringify(refused))
      assert.match(String(refused.details["reason"]), /would take 999999 base units .* to transfer 1000000/)
      assert.strictEqual(refused.details["token"], id.slice("token:".length))
    }))

  it.effect("takes a fee and keeps books of its own: the plan says what would arrive", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 1_000_000n, { family: "book" })
      const asked = yield* plan(request)
      const answer = echo(pointOf(asked, `token:${token}`), "transfer_to_account", { destination: destination.publicKey() })
      const decisions = withAnswer(answersTo(asked), answer)
      const told = Effect.map(
        plan({ ...request, decisions }),
        (one) => pointOf(one, `token:${token}`).options.find(({ id }) => id === "transfer_to_account")?.note ?? ""
      )
      assert.match(yield* told, /^Add the destination/)
      yield* turns(token, { _tag: "TakesFee", basisPoints: 1_000 })
      assert.include(yield* told, `Of the 1000000 base units 900000 would reach ${destination.publicKey()}: the token's code takes a fee.`)
    }))

  it.effect("hides the transfer of something else in what is signed: refused, and that else stays", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { request, sending, source, token } = yield* scene()
      const other = yield* on(deployToken())
      yield* on(mintToken(other, source.publicKey(), 500n))
      yield* turns(token, {
        _tag: "CallsOther",
        functions: ["transfer"],
        contract: other,
        function: "transfer",
        party: somebody,
        amount: 500n
      })
      const kept = echo(pointOf(yield* plan(request), `token:${other}`), "acknowledge_residue")
      const refused = yield* refusal("next", { ...request, decisions: [...sending, kept] })
      assert.strictEqual(refused.code, "token_unsafe", JSON.stringify(refused))
      assert.match(String(refused.details["reason"]), /authorisation covers more than transfer/)
      assert.strictEqual(yield* held(other, source), 500n)
    }))

  it.effect("hides an approval in what is signed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { request, sending, token } = yield* scene()
      const other = yield* on(deployToken())
      yield* turns(token, {
        _tag: "CallsOther",
        functions: ["transfer"],
        contract: other,
        function: "approve",
        party: somebody,
        amount: 500n
      })
      const refused = yield* refusal("next", { ...request, decisions: sending })
      assert.match(`${refused.code} ${String(refused.details["reason"])}`, /^token_unsafe the authorisation covers more than transfer/)
    }))

  it.effect.runIf(isThorough)("never comes to an end: the plan does, and asks again", () =>
    Effect.gen(function*() {
      const { id, leaving, request, sending, source } = yield* scene({ _tag: "NeverEnds", functions: ["transfer"] })
      const asked = yield* plan({ ...request, decisions: sending })
      const point = pointOf(asked, id)
      assert.deepStrictEqual([asked.status, point.answered], ["needs_decisions", false])
      assert.match(point.options[0]?.note ?? "", /was not simulated within|HostError/)
      assert.deepStrictEqual((yield* closed({ ...request, decisions: leaving }, source)).covered, ["MERGE"])
    }))

  it.effect("that does not tell its balance any more can be left by an answer that says so, and by no other", () =>
    Effect.gen(function*() {
      const { destination, id, leaving, request, source } = yield* scene({ _tag: "Fails", functions: ["balance"] })
      // A balance in an entry of the common form counts as long as the token reports no other.
      const asked = yield* plan({ ...request, decisions: leaving })
      assert.include(["ready", "needs_decisions"], asked.status)
      const point = asked.decisionPoints.find((one) => one.id === id)
      const decisions = point?.options[0]?.params?.unreadable === true
        ? withAnswer(leaving, echo(point, "acknowledge_residue"))
        : [...leaving, acknowledges(destination.publicKey())].slice(0, leaving.length)
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["MERGE"])
    }))

  it.effect("traps only when it is built: an envelope that was ready before fails, and nothing is lost", () =>
    Effect.gen(function*() {
      const { request, sending, source, token } = yield* scene()
      const before = yield* offered({ ...request, decisions: sending })
      assert.deepStrictEqual([before.reason, before.covers], ["token_exit", ["HANDLE_TOKENS"]])
      yield* turns(token, { _tag: "Fails", functions: ["transfer"] })
      assert.strictEqual((yield* refusal("next", { ...request, decisions: sending })).code, "simulation_failed")
      assert.strictEqual(yield* held(token, source), 1_000_000n)
    }))

  it.effect("refuses to end an allowance: it is not kept without a word", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { leaving, request, source, token } = yield* scene()
      const { state: { header } } = yield* sandbox.snapshot
      yield* on(approveSpender(token, { owner: source, spender: somebody, amount: 9n, liveUntil: header.ledgerSeq + 10_000 }))
      yield* turns(token, { _tag: "Ignores", functions: ["approve"] })
      const id = `allowance:${token}:${somebody}`
      const wishing = [...leaving, { id, choice: "revoke" }]
      const point = pointOf(yield* plan({ ...request, decisions: wishing }), id)
      assert.deepStrictEqual([point.required, point.answered, point.default], [true, false, "keep"])
      const refused = yield* refusal("next", { ...request, decisions: wishing })
      assert.match(`${refused.code} ${String(refused.details["reason"])}`, /^token_unsafe /)
      assert.deepStrictEqual((yield* closed({ ...request, decisions: [...leaving, { id, choice: "keep" }] }, source)).covered, ["MERGE"])
    }))
})

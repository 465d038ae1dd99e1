import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sendToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { acknowledges, answersTo, echo, pointOf } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { closeThrough } from "../support/CloseLoop.ts"
import { Service } from "../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, gift, held, holder, step } from "./support/Holder.ts"

layer(tokensService(), { excludeTestServices: true })("an account with a plain contract token", (it) => {
  it.effect("closes once it is sent to somebody who was acknowledged, by a call of its own before the merge", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 1234567n)
      const asked = yield* plan(request)
      const point = pointOf(asked, `token:${token}`)
      assert.deepStrictEqual([point.type, point.default, point.required, point.answered], ["token", null, true, false])
      assert.deepStrictEqual(point.options.map(({ id }) => id), ["transfer_to_account", "acknowledge_residue"])
      const decisions = [
        ...answersTo(asked).filter(({ id }) => id !== point.id),
        echo(point, "transfer_to_account", { destination: destination.publicKey() })
      ]
      const { plan: ready, rounds } = yield* closeThrough({ source, destination, decisions })
      assert.deepStrictEqual(ready.execution.transactions.map(({ covers, reason }) => [covers[0], reason ?? null]), [
        ["HANDLE_TOKENS", "token_exit"],
        ["MERGE", null]
      ])
      assert.deepStrictEqual(rounds[0]?.transactions[0]?.coversTargets, [point.id, token])
      assert.strictEqual(yield* held(token, destination), 1234567n)
      assert.strictEqual(yield* held(token, source), 0n)
    }))

  for (const family of ["open_zeppelin", "book"] as const) {
    it.effect(`closes whatever way the token keeps its books in: ${family}`, () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 77n, { family })
        const asked = yield* plan(request)
        const point = pointOf(asked, `token:${token}`)
        const decisions = [
          ...answersTo(asked).filter(({ id }) => id !== point.id),
          echo(point, "transfer_to_account", { destination: destination.publicKey() })
        ]
        assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      }))
  }

  it.effect("is sent to nobody who cannot use it, and to somebody else only where that was acknowledged", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 10n)
      const asked = yield* plan(request)
      const point = pointOf(asked, `token:${token}`)
      const to = (address: string) => [acknowledges(destination.publicKey()), echo(point, "transfer_to_account", { destination: address })]
      const nobody = yield* refusal("next", { ...request, decisions: to(Keypair.random().publicKey()) })
      assert.strictEqual(nobody.code, "destination_not_acknowledged", JSON.stringify(nobody))
      const missing = Keypair.random().publicKey()
      const gone = yield* refusal("next", { ...request, decisions: [...to(missing), acknowledges(missing)] })
      assert.strictEqual(gone.code, "transfer_destination_unusable", JSON.stringify(gone))
      const itself = yield* refusal("next", { ...request, decisions: to(source.publicKey()) })
      assert.strictEqual(itself.code, "transfer_destination_unusable", JSON.stringify(itself))
      const unasked = yield* refusal("next", { ...request, decisions: to(giver.publicKey()) })
      assert.deepStrictEqual([unasked.code, unasked.details["decisionId"]], [
        "destination_not_acknowledged",
        `destination:${giver.publicKey()}`
      ])
      const decisions = [...to(giver.publicKey()), acknowledges(giver.publicKey())]
      const { intent } = yield* offered({ ...request, decisions })
      assert.deepStrictEqual(intent.guarantees.paymentsOnlyTo, [giver.publicKey()])
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, giver), 20n)
    }))

  it.effect("is given away up to the amount that was answered, and is asked about again where it came again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 10n)
      const asked = yield* plan(request)
      const point = pointOf(asked, `token:${token}`)
      const own = acknowledges(destination.publicKey())
      for (const choice of ["transfer_to_account", "acknowledge_residue"]) {
        const params = { maxAmount: "9", ...(choice === "transfer_to_account" ? { destination: giver.publicKey() } : {}) }
        const few = yield* refusal("next", {
          ...request,
          decisions: [own, acknowledges(giver.publicKey()), { id: point.id, choice, params }]
        })
        assert.strictEqual(few.code, "plan_changed", JSON.stringify(few))
        assert.deepInclude(few.details["changes"], { kind: "amount", subject: point.id, agreed: "9", current: "10" })
      }
      const decisions = [own, echo(point, "transfer_to_account", { destination: destination.publicKey() })]
      yield* step({ ...request, decisions }, source)
      yield* on(sendToken(token, giver, source.publicKey(), 1n))
      yield* laterLedger
      const again = pointOf(yield* plan({ ...request, decisions }), point.id)
      assert.deepStrictEqual([again.required, again.answered], [true, false])
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "needs_decisions")
      // Sent back as it is offered now, it is done once more.
      const once = [own, echo(again, "transfer_to_account", { destination: destination.publicKey() })]
      assert.deepStrictEqual((yield* closed({ ...request, decisions: once }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, destination), 11n)
    }))
})

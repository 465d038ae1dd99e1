import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { closeThrough } from "../support/CloseLoop.ts"
import { gift, held, holder } from "./support/Holder.ts"
import { tokensService } from "./support/TokensServed.ts"

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
})

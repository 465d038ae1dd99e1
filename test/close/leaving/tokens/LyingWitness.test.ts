import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Sources, sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { balanceEntry, closed, gift, held, holder } from "./support/Holder.ts"

const service = Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => sourcesService(2, { TESTNET_TOKENS_FILE: file })))

layer(service, { excludeTestServices: true })("a contract RPC that does not show what is held of a token", (it) => {
  it.effect("gets no merge built: another one is asked for what it left out", () =>
    Effect.gen(function*() {
      const [first] = yield* Sources
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n)
      const own = acknowledges(destination.publicKey())
      const point = pointOf(yield* plan(request), `token:${token}`)
      const entry = balanceEntry(token, source.publicKey())
      const decisions = [own]
      yield* first!.imagining(
        (state) => state.delete([entry]),
        Effect.gen(function*() {
          // The token is missing, so there is no question.
          assert.strictEqual((yield* plan({ ...request, decisions })).status, "ready")
          const refused = yield* refusal("next", { ...request, decisions })
          assert.deepStrictEqual([refused.status, refused.code], [503, "sources_disagree"], JSON.stringify(refused))
        })
      )
      const sending = [own, echo(point, "transfer_to_account", { destination: destination.publicKey() })]
      assert.deepStrictEqual((yield* closed({ ...request, decisions: sending }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, destination), 5n)
    }), 60_000)
})

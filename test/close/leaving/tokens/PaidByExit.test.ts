import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { PairsNewcomer } from "../../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { providePlain } from "../../../../src/sandbox/scenarios/PairsShares.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { answersTo, echo, pointOf } from "../../support/Answering.ts"
import { plan } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, held } from "./support/Holder.ts"

layer(tokensService(["amm_2"]), { excludeTestServices: true })("a position whose exit pays a contract token", (it) => {
  it.effect("is left once the token was asked about, and the token goes after it and before the merge", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const scene = yield* on(PairsNewcomer)
      const { destination, source, tokens } = scene
      yield* on(providePlain(scene))
      yield* laterLedger
      const token = strkeyOf(tokens.plain)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      assert.strictEqual(yield* held(token, source), 0n)
      // Shares of a pair can be gifts, so that the exit has a decision.
      const leaving = answersTo(yield* plan(request), "exit", "convert_to_native")
      const asked = yield* plan({ ...request, decisions: leaving })
      const point = pointOf(asked, `token:${token}`)
      assert.deepStrictEqual([point.required, point.answered], [true, false])
      assert.match(point.subject, /^The payout of positions of the token/)
      assert.strictEqual(point.options[0]?.id, "convert_to_native")
      const decisions = [
        ...answersTo(asked, "exit", "convert_to_native").filter(({ id }) => id !== point.id),
        echo(point, "transfer_to_account", { destination: destination.publicKey() })
      ]
      const { covered, plan: ready } = yield* closed({ ...request, decisions }, source)
      assert.deepStrictEqual(covered.slice(0, 2), ["EXIT_POSITIONS", "HANDLE_TOKENS"], covered.join(", "))
      assert.isTrue(covered.at(-1)?.endsWith("MERGE"))
      assert.deepStrictEqual(ready.transactions.slice(0, 2).map(({ reason }) => reason), ["position_exit", "token_exit"])
      // The deposit comes back, apart from rounding.
      const back = yield* held(token, destination)
      assert.isTrue(back > 99_999_000n && back <= 100_000_000n, `${back}`)
    }))
})

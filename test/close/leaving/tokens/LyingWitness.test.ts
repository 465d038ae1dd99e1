import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { next, plan, refusal } from "../../support/Client.ts"
import { type Lie, Sources, sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { balanceEntry, closed, gift, held, holder } from "./support/Holder.ts"

const service = Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => sourcesService(2, { TESTNET_TOKENS_FILE: file })))

/** Shows the entry under a key as changed in a ledger that no one else has. */
const changed = (key: string): Lie => (method, result) => {
  if (method !== "getLedgerEntries") return result
  const latestLedger = Number(result["latestLedger"]) + 1
  const entries = result["entries"] as ReadonlyArray<{ readonly key: string }>
  return {
    ...result,
    latestLedger,
    entries: entries.map((one) => (one.key === key ? { ...one, lastModifiedLedgerSeq: latestLedger } : one))
  }
}

layer(service, { excludeTestServices: true })("a token of unlisted code that changes in every ledger", (it) => {
  it.effect("is left behind by a merge all the same, since two contract RPCs say how much is held", () =>
    Effect.gen(function*() {
      const [, second] = yield* Sources
      const { destination, request, source } = yield* holder
      const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later")
      yield* laterLedger
      const { token } = yield* gift(source, 5n, { behaviours: [{ _tag: "TakesFee", basisPoints: 1 }] })
      const given = { ...request, decisions: [acknowledges(destination.publicKey()), later] }
      const entry = balanceEntry(token, source.publicKey())
      const { transactions } = yield* second!.lying(changed(entry.toXdr("base64")), next(given))
      assert.deepStrictEqual(transactions[0]?.covers, ["MERGE"])
    }))
})

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

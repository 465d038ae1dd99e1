import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, asI128, i128, mapOf, struct, symbol, u32, vec } from "../../../../src/ledger/soroban/Values.ts"
import { readContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { approveSpender, deployToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { answersTo, pointOf } from "../../support/Answering.ts"
import { plan } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, holder, step } from "./support/Holder.ts"

const spenders = [Keypair.random().publicKey(), Keypair.random().publicKey(), Keypair.random().publicKey()]

/** An owner with allowances for three spenders, each of a token of its own. */
const owner = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const held = yield* holder
  const { state: { header } } = yield* sandbox.snapshot
  const ids: Array<string> = []
  for (const spender of spenders) {
    const token = yield* on(deployToken({ family: spender === spenders[0] ? "open_zeppelin" : "example" }))
    yield* on(approveSpender(token, { owner: held.source, spender, amount: 7n, liveUntil: header.ledgerSeq + 10_000 }))
    ids.push(`allowance:${token}:${spender}`)
  }
  yield* laterLedger
  return { ...held, ids }
})

const liveIn = ({ warnings }: { readonly warnings: ReadonlyArray<{ readonly code?: string; readonly subject?: string }> }) =>
  warnings.filter(({ code }) => code === "allowance_live").map(({ subject }) => subject ?? "").toSorted()

layer(tokensService(), { excludeTestServices: true })("allowances of an account that closes", (it) => {
  it.effect("are kept unless their owner ends them: each by a call of its own before the merge, whenever the close goes on", () =>
    Effect.gen(function*() {
      const { ids, request, source } = yield* owner
      const asked = yield* plan(request)
      for (const id of ids) {
        const point = pointOf(asked, id)
        assert.deepStrictEqual([point.type, point.default, point.required], ["allowance", "keep", false])
        assert.deepStrictEqual(point.options.map((option) => [option.id, option.needs]), [["revoke", []], ["keep", []]])
      }
      assert.deepStrictEqual(liveIn(asked), ids.toSorted())
      const [first = "", second = "", third = ""] = ids
      const decisions = [...answersTo(asked), ...[first, second].map((id) => ({ id, choice: "revoke" })), { id: third, choice: "keep" }]
      const ready = yield* plan({ ...request, decisions })
      assert.deepStrictEqual(liveIn(ready), [third])
      assert.deepStrictEqual(ready.unusedDecisions, [])
      assert.deepStrictEqual(ready.steps.map(({ type }) => type), ["REVOKE_ALLOWANCES", "REVOKE_ALLOWANCES", "MERGE"])
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["token_exit", "token_exit", null])
      // Interrupted after the first: an ended allowance is not ended again.
      const one = yield* step({ ...request, decisions }, source)
      assert.deepStrictEqual(one.transactions[0]?.covers, ["REVOKE_ALLOWANCES"])
      assert.isTrue(one.remaining.requiresAnotherCall)
      const rest = yield* closed({ ...request, decisions }, source)
      assert.deepStrictEqual(rest.covered, ["REVOKE_ALLOWANCES", "MERGE"])
      assert.lengthOf(rest.plan.unusedDecisions, 1)
    }))

  it.effect("are looked up where an answer names one that nothing else tells of", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { request, source } = yield* holder
      const { state: { header } } = yield* sandbox.snapshot
      const [spender = ""] = spenders
      const until = header.ledgerSeq + 10_000
      const [token, other] = [yield* on(deployToken()), yield* on(deployToken())]
      yield* on(approveSpender(token, { owner: source, spender, amount: 7n, liveUntil: until }))
      // An allowance that only its token reports: no event covers it, and no entry of a known form stores it.
      const pair = vec(...[source.publicKey(), spender].map((who) => addressVal(addressOf(who))))
      const [key, value] = [symbol("Grants"), mapOf([[pair, struct({ amount: i128(9n), until: u32(until) })]])]
      const grants = { key: key.toXdr("base64"), value: value.toXdr("base64"), durability: "persistent" as const }
      const book = yield* on(deployToken({ family: "book", entries: [grants] }))
      yield* laterLedger
      const asked = yield* plan(request)
      assert.notInclude(asked.decisionPoints.map(({ id }) => id), `allowance:${book}:${spender}`)
      const decisions = [
        ...answersTo(asked),
        { id: `allowance:${book}:${spender}`, choice: "revoke" },
        { id: `allowance:${token}:${spenders[0]}`, choice: "revoke" },
        { id: `allowance:${other}:${spenders[0]}`, choice: "revoke" }
      ]
      const { covered, plan: ready } = yield* closed({ ...request, decisions }, source)
      assert.deepStrictEqual(ready.unusedDecisions, [`allowance:${other}:${spenders[0]}`])
      assert.deepStrictEqual(covered, ["REVOKE_ALLOWANCES", "REVOKE_ALLOWANCES", "MERGE"])
      const left = yield* on(
        readContract(addressOf(book), "allowance", [source.publicKey(), spender].map((who) => addressVal(addressOf(who))))
      )
      assert.strictEqual(asI128(left), 0n)
    }))
})

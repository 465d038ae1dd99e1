import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, addressVal, i128, struct, u64 } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { positionKey } from "./support/ToyPool.ts"
import { AnotherPosition, laterLedger, POSITION, ToyHolder, toyService } from "./support/ToyService.ts"

layer(toyService, { excludeTestServices: true })("positions that cool down side by side", (it) => {
  it.effect("building says when the first can be left, the plan when all can; each is left when its time has come", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const held = yield* on(ToyHolder({ pool: 0, unlocksIn: 3_600, owned: "1" }))
      const other = yield* on(AnotherPosition(held, 1))
      yield* on(Effect.flatMap(Network, ({ amend, passphrase }) =>
        amend((state) => {
          const token = addressVal(addressOf(held.owed.contractId(passphrase)))
          const later = struct({ amount: i128(POSITION), token, unlocks: u64(state.header.closeTime + 7_200n) })
          return state.set(
            dataEntries(addressOf(other.contract), [positionKey(addressOf(held.source.publicKey())), later], "persistent", 2_000_000)
          )
        })))
      yield* laterLedger
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const asked = yield* plan(request)
      const decisions = answersTo(asked)
      const refused = yield* refusal("next", { ...request, decisions })
      assert.strictEqual(refused.code, "position_cooling_down")
      const first = Date.parse(String(refused.details["unlocksAt"]))
      assert.isAbove(Date.parse(asked.estimate.waitUntil ?? ""), first + 3_500_000)
      const { estimate } = yield* plan({ ...request, decisions })
      // The later proceeds are unknown, so the plan shows null and not zero.
      assert.deepStrictEqual([estimate.receivedLumens, estimate.minReceivedLumens], [null, null])

      /** Submits the next transaction. Returns the contract that it calls, or the kinds that it covers. */
      const goOn = Effect.gen(function*() {
        const transaction = yield* offered({ ...request, decisions: answersTo(yield* plan(request)) })
        yield* submit(yield* signed(transaction, held.source))
        yield* laterLedger
        const [operation] = transaction.intent.operations
        return operation?.type === "invoke_contract" ? operation.contract : transaction.covers.join("+")
      })
      yield* sandbox.closeLedger({ advanceSeconds: 4_000 })
      assert.strictEqual(yield* goOn, held.contract)
      // The asset that it paid is not needed any more; the trustline of the other position's asset stays.
      assert.strictEqual(yield* goOn, "HANDLE_ASSETS+REMOVE_TRUSTLINES")
      const waiting = yield* plan(request)
      assert.strictEqual(waiting.estimate.waitUntil, asked.estimate.waitUntil)
      const still = yield* refusal("next", { ...request, decisions: answersTo(waiting) })
      assert.deepStrictEqual([still.code, still.details["unlocksAt"]], ["position_cooling_down", asked.estimate.waitUntil])
      yield* sandbox.closeLedger({ advanceSeconds: 4_000 })
      assert.strictEqual(yield* goOn, other.contract)
      assert.strictEqual(yield* goOn, "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE")
      assert.isNull(yield* accountOf(held.source))
    }))
})

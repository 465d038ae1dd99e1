import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, addressVal, i128, struct, u64 } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { positionKey } from "./support/ToyPool.ts"
import { laterLedger, POSITION, ToyHolder, toyService } from "./support/ToyService.ts"

/** A contract that is neither a pool nor an asset of the ledger. */
const token = "CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC"

layer(toyService, { excludeTestServices: true })("an exit that pays a contract token", (it) => {
  it.effect("is not begun while nothing carries the token on: it would be stranded with the account", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool: 0 }))
      yield* on(Effect.flatMap(Network, ({ amend }) =>
        amend((state) => {
          const paying = struct({ amount: i128(POSITION), token: addressVal(addressOf(token)), unlocks: u64(0n) })
          return state.set(
            dataEntries(addressOf(held.contract), [positionKey(addressOf(held.source.publicKey())), paying], "persistent", 2_000_000)
          )
        })))
      yield* laterLedger
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "needs_decisions")
      assert.deepInclude(asked.blockers.map(({ reason, subject }) => [reason, subject]), ["tokens_unread", token])
      yield* refusal("next", { ...request, decisions: answersTo(asked) })
    }))
})

import { assert } from "@effect/vitest"
import { Asset, type Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { addressOf, addressVal, i128, struct, u64 } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { layer } from "../../support/Layered.ts"
import { Pair } from "../support/Accounts.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, preflight, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { positionKey } from "./support/ToyPool.ts"
import { AnotherPosition, laterLedger, POSITION, ToyHolder, toyService } from "./support/ToyService.ts"

/** Makes a position in a toy pool, which pays an asset, wait for two hours. */
const Cooling = (contract: ContractAddress, owner: Keypair, asset: Asset) =>
  Effect.flatMap(Network, ({ amend, passphrase }) =>
    amend((state) => {
      const token = addressVal(addressOf(asset.contractId(passphrase)))
      const later = struct({ amount: i128(POSITION), token, unlocks: u64(state.header.closeTime + 7_200n) })
      return state.set(dataEntries(addressOf(contract), [positionKey(addressOf(owner.publicKey())), later], "persistent", 2_000_000))
    }))

layer(toyService, { excludeTestServices: true })("positions that cool down side by side", (it) => {
  it.effect("building says when the first can be left, the plan when all can; each is left when its time has come", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const held = yield* on(ToyHolder({ pool: 0, unlocksIn: 3_600, owned: "1" }))
      const other = yield* on(AnotherPosition(held, 1))
      yield* on(Cooling(other.contract, held.source, held.owed))
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
  it.effect("keep a preflight from calling the account mergeable, and from promising lumens", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { contract } = yield* on(AnotherPosition({ owed: Asset.native(), source }, 2))
      yield* on(Cooling(contract, source, Asset.native()))
      yield* laterLedger
      const report = yield* preflight(source.publicKey())
      assert.deepInclude(report, { status: "ready", mergeable: false, transactionCount: null })
      assert.isNull(report.lumens.atLeast)
    }))
})

import { assert, it } from "@effect/vitest"
import { scValToNative, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal } from "../../../src/ledger/soroban/Values.ts"
import { readContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { ApprovalHistory } from "../../support/scenarios/ApprovalHistory.ts"
import { startWithClients } from "../Clients.ts"

it.scopedLive("a week of approvals, most of them revoked, is served by their events", () =>
  Effect.gen(function*() {
    const { contractRpc, network, on } = yield* startWithClients({ retention: 120_960 })
    const { source } = yield* on(FundedPair)
    const before = (yield* network.snapshot).history.latest.sequence
    const { live, tokens } = yield* on(ApprovalHistory({ owner: source, tokens: 4, live: 5, revoked: 50, ledgers: 120_000 }))
    assert.deepStrictEqual([live.length, tokens.length], [5, 4])
    const { latest } = (yield* network.snapshot).history
    assert.approximately(latest.sequence - before, 120_000, 500)
    const owner = addressVal(addressOf(source.publicKey()))
    const topics = [[xdr.ScVal.scvSymbol("approve").toXdr("base64"), owner.toXdr("base64"), "**"]]
    let told = 0
    for (let start = before; start <= latest.sequence; start += 10_000) {
      const { events } = yield* Effect.promise(() => contractRpc.getEvents({ startLedger: start, filters: [{ type: "contract", topics }] }))
      told += events.length
    }
    assert.strictEqual(told, 5 + 2 * 50)
    for (const { spender, token } of live) {
      const allowed = yield* on(readContract(addressOf(token), "allowance", [owner, addressVal(addressOf(spender))]))
      assert.isAbove(Number(scValToNative(allowed)), 999)
    }
  }))

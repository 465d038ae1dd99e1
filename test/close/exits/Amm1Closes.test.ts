import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { dataKeyOf } from "../../../src/ledger/soroban/Keys.ts"
import { addressOf, asI128 } from "../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { AMM_1_CONTRACTS_AT } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

const EXIT = "EXIT_POSITIONS"

it.scopedLive("an account with shares, stable shares and two ranges is closed over HTTP", () =>
  Effect.gen(function*() {
    const held = yield* asked(Amm1Positions)
    const { covered, unlocksAt } = yield* pursued(held)
    console.log(JSON.stringify(held.plan).slice(0, 3000), covered)
    assert.isNull(unlocksAt)
    assert.sameMembers([...new Set(covered)], [EXIT, "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    const { sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    for (const share of [AMM_1_CONTRACTS_AT.constantProductShare, AMM_1_CONTRACTS_AT.stableShare]) {
      const data = state.get(dataKeyOf(share, tokenBalanceKey(addressOf(held.source.publicKey())), "persistent"))?.data
      assert(data?.type === "contractData")
      assert.strictEqual(asI128(data.contractData.val), 0n)
    }
    console.log(yield* lumensOf(held.destination))
  }).pipe(Effect.provide(serviceOver(["amm_1"]))), 120_000)

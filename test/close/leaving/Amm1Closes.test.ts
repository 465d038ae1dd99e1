import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, asI128, asU128, asVec, field } from "../../../src/ledger/soroban/Values.ts"
import { userKey } from "../../../src/sandbox/contracts/amm1/ConcentratedStore.ts"
import { userRewardKey } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { callsIn } from "./support/CalledIn.ts"

const { concentrated, constantProduct, constantProductShare, gauge, stableShare } = amm1ContractsAt

const kept = (contract: xdr.ScAddress, key: xdr.ScVal) =>
  Effect.gen(function*() {
    const { state } = yield* (yield* Service).sandbox.snapshot
    const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
    return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
  })

it.scopedLive(
  "an account with shares of two pools and two ranges of a third is closed, and nothing stays behind",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(Amm1Positions)
      const called = callsIn(held.plan)
      // Pool by pool: first the withdrawal, then the claim. No further rewards accrue by then.
      assert.deepStrictEqual(called, [
        "withdraw",
        "claim",
        "gauges_claim",
        "withdraw_position",
        "withdraw_position",
        "claim",
        "withdraw"
      ])

      // All but the second range are simulated in advance, with the claims that come last.
      assert.isBelow(Number(held.plan.estimate.feeLumens), 0.35)

      const { covered, unlocksAt } = yield* pursued(held)
      assert.isNull(unlocksAt)
      assert.lengthOf(covered, called.length + 1)
      assert.deepStrictEqual([...new Set(covered)], ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])

      const owner = addressOf(held.source.publicKey())
      for (const share of [constantProductShare, stableShare]) assert.strictEqual(asI128(yield* kept(share, tokenBalanceKey(owner))), 0n)
      assert.deepStrictEqual(asVec(field(yield* kept(concentrated, userKey(owner)), "positions")), [])
      for (const payer of [constantProduct, concentrated, gauge]) {
        assert.strictEqual(asU128(field(yield* kept(payer, userRewardKey(owner)), "to_claim")), 0n)
      }
      // 10,000 lumens each, 1,000 USDC and 1,000 EURC at ten, 50 lumens of fees and the rewards, less fees of the network.
      assert.approximately(Number((yield* lumensOf(held.destination)) / 10_000_000n), 40_140, 60)
    }).pipe(Effect.provide(serviceOver(["amm_1"]))),
  120_000
)

import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { dataKeyOf } from "../../../src/ledger/soroban/Keys.ts"
import { addressOf, asI128, asU128, asVec, field } from "../../../src/ledger/soroban/Values.ts"
import { userKey } from "../../../src/sandbox/contracts/amm1/ConcentratedStore.ts"
import { userRewardKey } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { AMM_1_CONTRACTS_AT } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

const { concentrated, constantProduct, constantProductShare, gauge, stableShare } = AMM_1_CONTRACTS_AT

/** Base units of a reward that are not worth a call. */
const SPECK = 100_000n

const kept = (contract: xdr.ScAddress, key: xdr.ScVal) =>
  Effect.gen(function*() {
    const { state } = yield* (yield* Service).sandbox.snapshot
    const data = state.get(dataKeyOf(contract, key, "persistent"))?.data
    return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
  })

it.scopedLive(
  "an account with shares of two pools and two ranges of a third is closed, and nothing stays behind",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(Amm1Positions)
      const titles = held.plan.steps.flatMap(({ title = "", type }) => (type === "EXIT_POSITIONS" ? [title.split(": ").at(-1)] : []))
      // Pool by pool: what has been earned, then what was put in; then what comes in between the two, where that is worth a call.
      assert.sameMembers(titles, [
        "claim",
        "gauges_claim",
        "withdraw",
        "claim",
        "withdraw_position",
        "withdraw_position",
        "claim",
        "withdraw"
      ])
      assert.isAbove(titles.lastIndexOf("claim"), titles.indexOf("withdraw_position"))
      for (const [first, second] of [["gauges_claim", "withdraw"], ["claim", "withdraw_position"]] as const) {
        assert.isBelow(titles.indexOf(first), titles.indexOf(second))
      }

      const { covered, unlocksAt } = yield* pursued(held)
      assert.isNull(unlocksAt)
      assert.lengthOf(covered, titles.length + 1)
      assert.deepStrictEqual([...new Set(covered)], ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])

      const owner = addressOf(held.source.publicKey())
      for (const share of [constantProductShare, stableShare]) assert.strictEqual(asI128(yield* kept(share, tokenBalanceKey(owner))), 0n)
      assert.deepStrictEqual(asVec(field(yield* kept(concentrated, userKey(owner)), "positions")), [])
      for (const payer of [constantProduct, concentrated, gauge]) {
        assert.isTrue(asU128(field(yield* kept(payer, userRewardKey(owner)), "to_claim")) <= SPECK)
      }
      // 10,000 lumens each, 1,000 USDC and 1,000 EURC at ten, 50 lumens of fees and what was earned, less fees of the network.
      assert.approximately(Number((yield* lumensOf(held.destination)) / 10_000_000n), 40_140, 60)
    }).pipe(Effect.provide(serviceOver(["amm_1"]))),
  120_000
)

import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bool, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { sharePoolKeys } from "../../../src/sandbox/contracts/Amm1.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { withInstanceValues, withManyPools } from "../../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { asked, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { echo } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { callsIn } from "./support/CalledIn.ts"

it.scopedLive(
  "claims that are switched off stop the exit of that pool alone, and only they are given up; among 300 pools more",
  () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* asked(Effect.zipLeft(
        Amm1Positions,
        sandbox.amend((state) =>
          withInstanceValues(
            withManyPools(state, 300),
            amm1ContractsAt.constantProduct,
            (storage) => storage.set(sharePoolKeys.claimKilled.toXdr("base64"), bool(true))
          )
        )
      ))
      const id = `position:amm_1:${strkeyOf(amm1ContractsAt.constantProduct)}:shares`
      const point = held.plan.decisionPoints.find((one) => one.id === id)
      assert(point !== undefined)
      assert.deepStrictEqual(point.options.map((one) => one.id), ["exit", "exit_without_rewards", "acknowledge_forfeit"])
      assert.deepStrictEqual(point.options[1]?.loses?.map(({ symbol }) => symbol), ["AQUA"])

      const stopped = yield* plan({ ...held.request, decisions: [echo(point, "exit")] })
      // Two offered answers remove the blocker: giving up the rewards, or the position.
      assert.strictEqual(stopped.status, "needs_decisions")
      assert.deepStrictEqual(stopped.blockers.map(({ reason }) => reason), ["position_locked"])
      assert.match(stopped.blockers[0]?.message ?? "", /switched off claims/)

      const after = yield* plan({ ...held.request, decisions: [echo(point, "exit_without_rewards")] })
      assert.deepStrictEqual(after.blockers, [])
      const called = callsIn(after)
      // The gauge and the other pools still pay.
      assert.sameMembers([...called], ["withdraw", "gauges_claim", "withdraw_position", "withdraw_position", "claim", "withdraw"])
      assert.include(after.warnings.map(({ code }) => code), "forfeit_acknowledged")
    }).pipe(Effect.provide(serviceOver(["amm_1"]))),
  120_000
)

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UnknownArms } from "../../../src/sandbox/faults/MalformedAnswers.ts"
import { LendingAndVaults } from "../../../src/sandbox/scenarios/LendingAndVaults.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { firstOf } from "../../support/Thorough.ts"
import { lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

/** The newest version that the ledger model was checked against. */
const model = 30

/** Places where a network newer than the SDK may write unknown arms without hiding any holding of the account. */
const arms = new UnknownArms({ in: ["headers", "events", "contractCode", "configSettings", "envelopes", "results"] })

for (const protocolVersion of firstOf(2, [28, 99, 29, 30])) {
  describe(`an account with positions in two protocols, on a network of ledger protocol ${protocolVersion}`, () => {
    it.scopedLive("is left by every position and closed whole", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        const isNewer = protocolVersion > model
        const { destination, plan, request, source } = yield* asked(LendingAndVaults)
        if (isNewer) yield* sandbox.faults.set({ fault: arms })
        const protocols = plan.decisionPoints.flatMap(({ id }) => (id.startsWith("position:") ? [id.split(":")[1]] : []))
        assert.sameMembers([...new Set(protocols)], ["cdp_1", "lend_1"])
        const newer = plan.projection.unverified.filter((row) => row.includes("newer than the model"))
        assert.lengthOf(newer, Number(isNewer))
        assert.lengthOf(plan.warnings.filter(({ code }) => code === "protocol_newer_than_model"), Number(isNewer))
        if (isNewer) assert.strictEqual(plan.projection.status, "partial")
        const before = yield* lumensOf(destination)
        const { covered, unlocksAt } = yield* pursued({ request, source })
        assert.isNull(unlocksAt)
        assert.isAtLeast(covered.filter((covers) => covers === "EXIT_POSITIONS").length, 2, covered.join(" "))
        assert.include(covered.at(-1) ?? "", "MERGE")
        // 5,000 lumens, less the fees of the calls and their rent.
        assert.approximately(Number((yield* lumensOf(destination)) - before) / 10_000_000, 4_984, 1)
      }).pipe(Effect.provide(serviceOver(["lend_1", "cdp_1"], { protocolVersion }))))
  })
}

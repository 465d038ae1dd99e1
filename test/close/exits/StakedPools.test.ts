import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { StakedPools } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { offered, plan } from "../support/Client.ts"
import { answersTo } from "../support/Answering.ts"

const poolsService = serviceOver(["amm_3"])

it.scopedLive("explore", () =>
  Effect.gen(function*() {
    const held = yield* asked(StakedPools)
    console.log(JSON.stringify(held.plan.blockers), JSON.stringify(held.plan.decisionPoints).slice(0, 3000), held.plan.status)
    console.log(JSON.stringify(held.plan.steps))
    console.log(JSON.stringify(held.plan.warnings))
    const course = yield* pursued(held)
    console.log(JSON.stringify(course))
    assert.isNull(course.unlocksAt)
  }).pipe(Effect.provide(poolsService)), 60_000)

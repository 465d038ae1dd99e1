import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { plan, type PlanBody, preflight } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

/** The amounts that a plan says the destination receives. */
const promises = (
  { estimate }: PlanBody
): ReadonlyArray<string | null> => [estimate.receivedLumens, estimate.minReceivedLumens]

it.scopedLive("a backstop's deposit is queued, waited for and withdrawn, and the close goes on where it stood", () =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const held = yield* asked(LendingBackstop)
    const assets = held.plan.decisionPoints.filter(({ type }) => type === "asset").map(({ id }) => id)
    const { unlocksAt } = yield* pursued(held)
    assert.isNotNull(unlocksAt)
    const waiting = yield* plan(held.request)
    assert.strictEqual(waiting.estimate.waitUntil, unlocksAt)
    assert.sameMembers(waiting.decisionPoints.filter(({ type }) => type === "asset").map(({ id }) => id), assets)
    const { state } = yield* sandbox.snapshot
    const seconds = Date.parse(unlocksAt ?? "") / 1000 - Number(state.header.closeTime)
    assert.approximately(seconds / 86_400, 17, 0.1)
    yield* sandbox.closeLedger({ advanceSeconds: seconds })
    // The payout of withdrawn shares is unknown until they arrive.
    const withdrawing = yield* plan(held.request)
    assert.deepStrictEqual([...promises(withdrawing), withdrawing.estimate.waitUntil], [null, null, null])
    assert.deepStrictEqual([...promises(held.plan), ...promises(waiting)], [null, null, null, null])
    assert.isNull((yield* preflight(held.request.source)).lumens.atLeast)
    const { covered } = yield* pursued(held)
    assert.isNull(yield* accountOf(held.source))
    assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
  }).pipe(Effect.provide(lendingService)))

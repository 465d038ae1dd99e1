import { assert, it } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressVal, i128 } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { advanced, asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { pays } from "./support/Paying.ts"

const EXIT = "EXIT_POSITIONS"
const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
const DAY = 86_400

/** An account that owes 50 EURC against lumens and holds none. It lends 60 EURC, which are no collateral. */
const Supplied = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, lender, native, source } = scene
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* pays(issuer, source, eurc, "60")
  yield* submitRequests("the account lends and borrows the same", source, ["supply", eurc, 60n * lumen], [
    "supplyCollateral",
    native,
    2_000n * lumen
  ], ["borrow", eurc, 50n * lumen])
  yield* pays(source, lender, eurc, "50")
  return scene
})

/**
 * An account that owes lumens, which it holds, and EURC, which it does not hold. It lends EURC, mostly not as collateral; its collateral
 * would cover the debts.
 */
const SuppliedBothWays = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, lender, native, source } = scene
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* pays(issuer, source, eurc, "640")
  yield* submitRequests(
    "the account lends and borrows the same",
    source,
    ["supply", eurc, 630n * lumen],
    ["supplyCollateral", eurc, 4n * lumen],
    ["borrow", eurc, 1n * lumen],
    ["borrow", native, 15n * lumen]
  )
  yield* pays(source, lender, eurc, "7")
  return scene
})

/** A deposit of the backstop with a part queued five days ago. */
const PartlyQueued = Effect.gen(function*() {
  const scene = yield* LendingBackstop
  const { backstop, pool, source } = scene
  yield* callContract("the account queues a part", {
    as: source,
    contract: backstop,
    fn: "queue_withdrawal",
    args: [accountVal(source), addressVal(pool), i128(40n * lumen)]
  })
  yield* Effect.flatMap(Network, ({ closeLedger }) => closeLedger({ advanceSeconds: 5 * DAY }))
  return scene
})

/** The functions of the next calls, until the service says to wait. */
const called = (held: Parameters<typeof pursued>[0]) =>
  Effect.gen(function*() {
    const names: Array<string> = []
    for (;;) {
      if ((yield* accountOf(held.source)) === null) return { names, unlocksAt: null }
      const next = yield* advanced(held)
      if (next._tag === "CoolingDown") return { names, unlocksAt: next.unlocksAt }
      names.push(...next.offer.intent.operations.flatMap((operation) => (operation.type === "invoke_contract" ? [operation.function] : [])))
      assert.isBelow(names.length, 20)
    }
  })

/** Moves the network's clock to a time. */
const until = (time: string | null) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    yield* sandbox.closeLedger({ advanceSeconds: Date.parse(time ?? "") / 1000 - Number(state.header.closeTime) })
  })

it.scopedLive.runIf(isThorough)("supply that backs nothing is taken out first, and repays the debt", () =>
  Effect.gen(function*() {
    const held = yield* asked(Supplied)
    assert.deepStrictEqual(held.plan.blockers, [])
    const before = yield* lumensOf(held.destination)
    const first = yield* advanced(held)
    const [call] = first._tag === "Offered" ? first.offer.intent.operations : []
    assert.deepStrictEqual(call?.type === "invoke_contract" ? [call.function, call.subInvocations] : [], ["submit", []])
    assert.deepStrictEqual((yield* pursued(held)).covered, [EXIT, REST])
    assert.isNull(yield* accountOf(held.source))
    // 5,000 lumens, and the remaining 10 EURC at 10 lumens each.
    assert.approximately(Number(((yield* lumensOf(held.destination)) - before) / lumen), 5_100, 2)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("what a call pays is at hand after it: supply that is withdrawn for a debt brings the position closer to its end", () =>
  Effect.gen(function*() {
    const held = yield* asked(SuppliedBothWays)
    assert.deepStrictEqual(held.plan.blockers, [])
    assert.deepStrictEqual((yield* pursued(held)).covered, [EXIT, EXIT, REST])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)(
  "of the backstop's queue what is unlocked goes first, then the rest, each out of the liquidity pool too",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(PartlyQueued)
      const queued = yield* called(held)
      assert.sameMembers(queued.names, ["claim", "queue_withdrawal", "exit_pool"])
      yield* until(queued.unlocksAt)
      // The part that was queued before the close unlocks after twelve days; the rest does not.
      const waiting = yield* plan(held.request)
      assert.deepStrictEqual(waiting.blockers, [])
      const early = yield* called(held)
      assert.deepStrictEqual(early.names, ["withdraw", "exit_pool"])
      assert.approximately((Date.parse(early.unlocksAt ?? "") - Date.parse(queued.unlocksAt ?? "")) / 1000 / DAY, 5, 0.01)
      assert.isNotNull(yield* accountOf(held.source))
      yield* until(early.unlocksAt)
      // The backstop pays out a position of its own, so the plan does not reach the end yet.
      const last = yield* plan({ ...held.request, decisions: answersTo(yield* plan(held.request)) })
      assert.notInclude(last.steps.map(({ type }) => type), "MERGE")
      assert.deepStrictEqual([last.status, last.projection.status, last.estimate.transactionCount], ["ready", "partial", null])
      const late = yield* called(held)
      assert.deepStrictEqual([late.names, late.unlocksAt], [["withdraw", "exit_pool"], null])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(lendingService))
)

import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn, withAnswer } from "../support/Answering.ts"
import { offered, plan } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { SameAsset } from "./support/SameAsset.ts"

const invoked = (transaction: Effect.Effect.Success<ReturnType<typeof offered>>) =>
  transaction.intent.operations.flatMap((operation) => (operation.type === "invoke_contract" ? [operation] : []))

it.scopedLive("collateral in the asset of the debt pays it in one call that takes nothing", () =>
  Effect.gen(function*() {
    const held = yield* asked(SameAsset(80n, "0"))
    assert.deepStrictEqual(held.plan.blockers, [])
    const [call] = invoked(yield* offered({ ...held.request, decisions: answersTo(held.plan) }))
    assert.strictEqual(call?.function, "submit_with_allowance")
    assert.deepStrictEqual(call?.subInvocations, [])
    const before = yield* lumensOf(held.destination)
    const { covered } = yield* pursued(held)
    assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
    // 5,000 lumens, and the remaining 30 EURC at 10 lumens each.
    assert.approximately(Number(((yield* lumensOf(held.destination)) - before) / lumen), 5_300, 2)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("another debt goes into that call where the pool holds enough of its asset, whatever there is in hand", () =>
  Effect.gen(function*() {
    const owing = Effect.tap(
      SameAsset(80n, "0"),
      ({ native, source }) => submitRequests("the account borrows lumens as well, and keeps them", source, ["borrow", native, 10n * lumen])
    )
    const held = yield* asked(owing)
    assert.deepStrictEqual(held.plan.transactions.map(({ covers }) => covers[0]), ["EXIT_POSITIONS", "HANDLE_ASSETS"])
    const [call] = invoked(yield* offered({ ...held.request, decisions: answersTo(held.plan) }))
    assert.deepStrictEqual([call?.function, call?.subInvocations], ["submit_with_allowance", []])
    assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("what collateral in the asset leaves open is repaid from the wallet first", () =>
  Effect.gen(function*() {
    const held = yield* asked(SameAsset(40n, "20"))
    assert.deepStrictEqual(held.plan.blockers, [])
    const [call] = invoked(yield* offered({ ...held.request, decisions: answersTo(held.plan) }))
    assert.strictEqual(call?.function, "submit")
    // Ten, and the margin of the whole debt: exactly the need.
    assert.strictEqual(call?.subInvocations[0]?.function, "transfer")
    const { covered } = yield* pursued(held)
    assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("too little of it, in the pool and in hand, is asked about with what is needed, and what lacks can be bought", () =>
  Effect.gen(function*() {
    const held = yield* asked(SameAsset(40n, "5"))
    assert.deepStrictEqual([held.plan.status, held.plan.blockers], ["needs_decisions", []])
    const buys = echo(positionIn(held.plan), "buy_repay_asset_then_exit")
    const [, needed, spendable] =
      /needs (\d+\.\d+) of EURC:\w+, and (\d+\.\d+) can be spent/.exec(positionIn(held.plan).options[0]?.note ?? "") ?? []
    // Interest changes both from ledger to ledger.
    assert.approximately(Number(needed), 50, 0.001)
    assert.approximately(Number(spendable), 45, 0.001)
    assert.strictEqual(buys.params?.spendAsset, "native")
    assert.strictEqual((yield* plan({ ...held.request, decisions: withAnswer(answersTo(held.plan), buys) })).status, "ready")
    const { covered } = yield* pursued(held, "buy_repay_asset_then_exit")
    assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
  }).pipe(Effect.provide(lendingService)))

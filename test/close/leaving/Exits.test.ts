import { assert } from "@effect/vitest"
import { Asset, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, echo, pointOf, positionIn, withAnswer } from "../support/Answering.ts"
import { type Answer, next, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { decoded, signed } from "../support/Signing.ts"
import { contractOf } from "./support/CalledIn.ts"
import { AnotherPosition, laterLedger, ToyHolder, type ToyOptions, toyService } from "./support/ToyService.ts"

const prepared = (options: ToyOptions) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder(options))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    const asked = yield* plan(request)
    return { ...held, request, asked, decisions: answersTo(asked) }
  })

/** Builds, signs and submits until the account is gone, with a new ledger between any two transactions. */
const closeAll = (
  { decisions, request, source }: Pick<Effect.Effect.Success<ReturnType<typeof prepared>>, "decisions" | "request" | "source">
) =>
  Effect.gen(function*() {
    const reasons: Array<string> = []
    for (let calls = 0; calls < 12 && (yield* accountOf(source)) !== null; calls++) {
      const answer = yield* next({ ...request, decisions })
      const [transaction] = answer.transactions
      yield* submit(yield* signed(transaction!, source))
      reasons.push(transaction!.covers.join("+"))
      yield* laterLedger
    }
    return reasons
  })

layer(toyService, { excludeTestServices: true })("leaving positions", (it) => {
  it.effect("an honest exit comes first, alone, and what it pays is sold with the rest", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 0 })
      assert.strictEqual(held.asked.status, "needs_decisions")
      assert.strictEqual(pointOf(held.asked, held.id).default, "exit")
      const ready = yield* plan({ ...held.request, decisions: held.decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      // The model judged the operations around the call; the call itself was simulated. The plan reports both separately.
      const [call, rest] = ready.transactions
      const { ledger } = call?.simulated ?? assert.fail("the call was not simulated")
      assert.deepStrictEqual([call?.resultCode, call?.operationResultCodes, rest?.simulated], ["tx_success", undefined, null])
      assert.deepStrictEqual(ready.projection.unverified, [
        `The effects of the transactions of index 0 are as simulated on ledger ${ledger}.`
      ])
      assert.strictEqual(ready.projection.status, "partial")
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["position_exit", null])
      assert.strictEqual(contractOf(ready.steps[0] ?? {}), held.contract)
      const before = yield* lumensOf(held.destination)
      const transaction = yield* offered({ ...held.request, decisions: held.decisions })
      assert.deepStrictEqual([transaction.dryRun.resultCode, transaction.dryRun.operationResultCodes], ["tx_success", []])
      assert.isAtLeast(transaction.dryRun.simulated?.ledger ?? 0, ledger)
      const [operation] = transaction.intent.operations
      assert.deepStrictEqual(operation, {
        type: "invoke_contract",
        contract: held.contract,
        function: "leave",
        args: [held.source.publicKey()],
        subInvocations: []
      })
      const read = yield* decoded(transaction)
      assert.lengthOf(read.operations, 1)
      assert.strictEqual(transaction.signing[0]?.level, "med")
      assert.deepStrictEqual(yield* closeAll(held), ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
      // 110 USD at half a lumen each, and 100 lumens less fees.
      const received = (yield* lumensOf(held.destination)) - before
      assert.isTrue(received > 154_0000000n && received < 155_0000000n, `${received}`)
    }))

  for (const [pool, mode] of [[20, "keeps"], [21, "shrinks"]] as const) {
    it.effect(`an exit that would have to be made again and again is not begun: ${mode}`, () =>
      Effect.gen(function*() {
        const { asked, decisions, request, source } = yield* prepared({ pool, mode })
        assert.strictEqual(asked.status, "needs_decisions")
        assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["position_locked"])
        const refused = yield* refusal("next", { ...request, decisions })
        assert.strictEqual(refused.code, "position_exit_unavailable")
        assert.match(String(refused.details["reason"]), /repeat it without end/)
        const forfeit = echo(positionIn(asked), "acknowledge_forfeit")
        const given = yield* plan({ ...request, decisions: [forfeit] })
        const closed = yield* closeAll({ request, source, decisions: [forfeit, ...answersTo(given)] })
        assert.deepStrictEqual(closed, ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
      }))
  }

  it.effect("an exit that fails in the host is refused with its words", () =>
    Effect.gen(function*() {
      const { asked, decisions, request } = yield* prepared({ pool: 4, mode: "error" })
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["position_locked"])
      const refused = yield* refusal("next", { ...request, decisions })
      assert.strictEqual(refused.code, "simulation_failed")
      assert.match(String(refused.details["reason"]), /Contract, #7/)
    }))

  it.effect("a line that the payout needs is added first", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 5, line: false })
      assert.isFalse(pointOf(held.asked, held.decision).answered)
      assert.deepStrictEqual(held.asked.transactions.map(({ reason }) => reason ?? null), [
        "prepares_exit",
        "position_exit",
        null
      ])
      assert.strictEqual(held.asked.projection.status, "partial")
      assert.deepStrictEqual(yield* closeAll(held), ["ADD_TRUSTLINE", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("what was only read when simulated and is written when applied does not make the exit fail", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool: 6, mode: "drift" }))
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const decisions = answersTo(yield* plan(request))
      const transaction = yield* offered({ ...request, decisions })
      yield* laterLedger
      yield* laterLedger
      assert.strictEqual((yield* submit(yield* signed(transaction, held.source))).status, "success")
    }))

  it.effect("rewards are claimed before, and the second call is named as not verified", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 7, rewards: 30_0000000n })
      assert.strictEqual(held.asked.projection.status, "partial")
      assert.isTrue(
        held.asked.projection.unverified.some((text) => text.startsWith("Transactions of index 1: the call depends on the previous call"))
      )
      assert.deepStrictEqual(yield* closeAll(held), ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("while a position cools down nothing it needs goes, and the plan says until when", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* prepared({ pool: 8, unlocksIn: 3600, line: true })
      assert.isNotNull(held.asked.estimate.waitUntil)
      assert.isNull(held.asked.estimate.transactionCount)
      const refused = yield* refusal("next", { ...held.request, decisions: held.decisions })
      assert.strictEqual(refused.code, "position_cooling_down")
      assert.strictEqual(refused.details["unlocksAt"], held.asked.estimate.waitUntil)
      yield* sandbox.closeLedger({ advanceSeconds: 4000 })
      const after = { ...held, decisions: answersTo(yield* plan(held.request)) }
      assert.deepStrictEqual(yield* closeAll(after), ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("something unrecognised blocks until the owner gives it up by name", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 9, garbled: true })
      assert.strictEqual(held.asked.status, "needs_decisions")
      assert.deepStrictEqual(held.asked.blockers.map(({ reason }) => reason), ["position_unrecognized"])
      const without = held.decisions.filter(({ id }) => !id.startsWith("positions_unread"))
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: without })).code, "positions_unread")
      const accepted = echo(pointOf(held.asked, "positions_unread:amm_2"), "i_accept_unread_positions")
      assert.deepStrictEqual(accepted.params, { contracts: held.asked.blockers.flatMap(({ subject }) => subject ?? []), gap: null })
      const ready = yield* plan({ ...held.request, decisions: [...without, accepted] })
      assert.strictEqual(ready.status, "ready")
      assert.isTrue(ready.warnings.some(({ code }) => code === "forfeit_acknowledged"))
      const forNothing = { ...held.request, decisions: [...without, { ...accepted, params: { contracts: [], gap: null } }] }
      assert.strictEqual((yield* refusal("next", forNothing)).code, "plan_changed")
      assert.strictEqual(pointOf(yield* plan(forNothing), accepted.id).answered, false)
    }))

  it.effect("a pool whose code is not known is not called, and can be given up within what was agreed", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 10, code: "71".repeat(32) })
      assert.deepStrictEqual(held.asked.blockers.map(({ reason }) => reason), ["position_locked"])
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: held.decisions })).code, "position_exit_unavailable")
      const forfeit = (maxAmount: string): Answer => ({ id: held.id, choice: "acknowledge_forfeit", params: { maxAmount } })
      const less = yield* refusal("next", { ...held.request, decisions: [...held.decisions, forfeit("1")] })
      assert.strictEqual(less.code, "plan_changed")
      const open = yield* plan({ ...held.request, decisions: [...held.decisions, forfeit("1")] })
      assert.deepStrictEqual([open.status, pointOf(open, held.id).answered], ["needs_decisions", false])
      const forfeited = { ...held.request, decisions: [forfeit("1000000000")] }
      const enough = { ...held, decisions: [...forfeited.decisions, ...answersTo(yield* plan(forfeited))] }
      const ready = yield* plan({ ...held.request, decisions: enough.decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      assert.deepStrictEqual(yield* closeAll(enough), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("an archived position is restored with the call", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 11, archived: true })
      assert.deepStrictEqual(yield* closeAll(held), ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("somebody else pays the fee of an exit: it goes out without one and is wrapped", () =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const held = yield* prepared({ pool: 18 })
      const before = yield* lumensOf(held.source)
      const transaction = yield* offered({ ...held.request, decisions: held.decisions, feePayer: "fee_bump" })
      const inner = yield* decoded(transaction)
      assert.strictEqual(inner.fee, "0")
      inner.sign(held.source)
      const wrapped = TransactionBuilder.buildFeeBumpTransaction(held.maker, "200", inner, passphrase)
      wrapped.sign(held.maker)
      assert.strictEqual((yield* submit(wrapped.toXdr())).status, "success")
      assert.strictEqual(yield* lumensOf(held.source), before)
    }))

  it.effect("an exit that was signed too late is simply built again", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* prepared({ pool: 19 })
      const first = yield* offered({ ...held.request, decisions: held.decisions })
      yield* sandbox.closeLedger({ advanceSeconds: 4000 })
      const refused = yield* refusal("submit", { signedXdr: yield* signed(first, held.source) })
      assert.strictEqual(refused.code, "transaction_expired")
      assert.deepStrictEqual(yield* closeAll(held), ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("a debt that cannot be paid is told with its figures, and what it lacks is bought when the owner says so", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 13, debt: 10_0000000n, owned: "4" })
      assert.deepStrictEqual([held.asked.status, held.asked.blockers], ["needs_decisions", []])
      assert.match(pointOf(held.asked, held.id).options[0]?.note ?? "", /needs 10\.0000000 .*, and 4\.0000000 can be spent/)
      const option = pointOf(held.asked, held.id).options.find(({ id }) => id === "buy_repay_asset_then_exit")
      // Six of it at two lumens each, and half a percent of slippage.
      const { sequence } = held.asked.snapshot
      assert.deepStrictEqual(option?.params, { spendAsset: "native", maxSpend: "12.0600000", sequence })
      const buys = (maxSpend: string): Answer => ({
        id: held.id,
        choice: "buy_repay_asset_then_exit",
        params: { spendAsset: "native", maxSpend, sequence }
      })
      assert.strictEqual(
        (yield* refusal("next", { ...held.request, decisions: withAnswer(held.decisions, buys("11")) })).code,
        "quote_drifted"
      )
      const decisions = withAnswer(held.decisions, buys("12.06"))
      const ready = yield* plan({ ...held.request, decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      assert.strictEqual(ready.transactions[0]?.reason, "prepares_exit")
      assert.deepStrictEqual(yield* closeAll({ ...held, decisions }), [
        "EXIT_POSITIONS",
        "EXIT_POSITIONS",
        "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"
      ])
    }))

  it.effect("a position that pays what another owes is left first, whichever comes first by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool: 16, debt: 10_0000000n, owned: "4" }))
      const feeder = yield* on(AnotherPosition(held, 17))
      yield* laterLedger
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const asked = yield* plan(request)
      assert.deepStrictEqual(asked.blockers, [])
      assert.strictEqual(contractOf(asked.steps[0] ?? {}), feeder.contract)
      // The plan foresees the rest of the close, and says that it is a projection.
      assert.deepStrictEqual(asked.transactions.map(({ covers }) => covers.join("+")), [
        "EXIT_POSITIONS",
        "EXIT_POSITIONS",
        "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
      ])
      assert.strictEqual(asked.estimate.transactionCount, 3)
      assert.strictEqual(asked.projection.status, "partial")
      assert.lengthOf(asked.projection.unverified.filter((doubt) => doubt.includes("cannot be simulated yet")), 1)
      const decisions = answersTo(asked)
      yield* submit(yield* signed(yield* offered({ ...request, decisions }), held.source))
      yield* laterLedger
      const again = answersTo(yield* plan(request))
      assert.deepStrictEqual(again.map(({ id }) => id).toSorted(), decisions.map(({ id }) => id).toSorted())
      assert.deepStrictEqual(yield* closeAll({ ...held, request, decisions: again }), [
        "EXIT_POSITIONS",
        "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
      ])
    }))

  it.effect("what offers hold of a debt's asset is freed first", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* prepared({ pool: 14, debt: 10_0000000n, owned: "10" })
      yield* on(perform("an offer holds it", {
        as: held.source,
        operations: [Operation.manageSellOffer({ selling: held.owed, buying: Asset.native(), amount: "9", price: "50" })]
      }))
      yield* laterLedger
      const ready = yield* plan({ ...held.request, decisions: held.decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      assert.strictEqual(ready.transactions[0]?.reason, "frees_lumens")
      assert.deepStrictEqual(yield* closeAll(held), ["CANCEL_OFFERS", "EXIT_POSITIONS", "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"])
    }))

  it.effect("lumens that the call lacks are freed first", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* prepared({ pool: 15, lumens: "2.502" })
      yield* on(perform("reserves are taken up", {
        as: held.source,
        operations: ["a", "b"].map((name) => Operation.manageData({ name, value: "x" }))
      }))
      yield* laterLedger
      const ready = yield* plan({ ...held.request, decisions: held.decisions })
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["frees_lumens", "position_exit", null])
      assert.deepStrictEqual(yield* closeAll(held), ["REMOVE_DATA_ENTRIES", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("a call that lumens do not suffice for is told with what it needs", () =>
    Effect.gen(function*() {
      const held = yield* prepared({ pool: 12, lumens: "1.5002" })
      const [first] = held.asked.blockers
      assert.strictEqual(first?.reason, "insufficient_lumens", JSON.stringify(held.asked))
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: held.decisions })).code, "insufficient_lumens")
    }))
})

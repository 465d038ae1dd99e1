import { assert } from "@effect/vitest"
import { AuthRevocableFlag, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { HolderWithMarket, Issued } from "../support/Accounts.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { type Answer, type Asked, next, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { Given } from "./support/Gifts.ts"
import { giftPools } from "./support/ToyProtocol.ts"
import { laterLedger, toyService } from "./support/ToyService.ts"

const [first = 0, second = 0] = giftPools

const Holder = Effect.gen(function*() {
  const { on } = yield* Service
  const held = yield* on(HolderWithMarket("10"))
  return { ...held, on, request: { source: held.source.publicKey(), destination: held.destination.publicKey() } }
})

/** Builds, signs and submits until the account is gone. */
const closed = (
  { decisions, request, source }: {
    readonly decisions: ReadonlyArray<Answer>
    readonly request: Asked
    readonly source: Effect.Effect.Success<typeof Holder>["source"]
  }
) =>
  Effect.gen(function*() {
    const covered: Array<string> = []
    while ((yield* accountOf(source)) !== null) {
      const transaction = yield* offered({ ...request, decisions })
      yield* submit(yield* signed(transaction, source))
      covered.push(transaction.covers.join("+"))
      yield* laterLedger
      assert.isBelow(covered.length, 12)
    }
    return covered
  })

layer(toyService, { excludeTestServices: true })("a position that a stranger gave", (it) => {
  it.effect("of one unit is asked about, with what leaving it takes, and blocks nothing; it can be left behind", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const [id = ""] = yield* held.on(Given(held.source, held.asset, 1n, first))
      yield* laterLedger
      const asked = yield* plan(held.request)
      assert.deepStrictEqual([asked.status, asked.blockers], ["needs_decisions", []])
      const point = pointOf(asked, id)
      assert.deepInclude(point, { required: true, answered: false, default: null })
      assert.deepStrictEqual(point.options.map((option) => [option.id, option.recommended ?? false]), [["exit", false], [
        "acknowledge_forfeit",
        false
      ]])
      assert.match(
        point.options[0]?.note ?? "",
        /^The exit costs \d\.\d+ lumens for the call, and (the payout is quoted at|the payout has no known buyer)/
      )
      const forfeit = echo(point, "acknowledge_forfeit")
      const decisions = [...answersTo(asked).filter((answer) => answer.id !== id), forfeit]
      assert.deepInclude(pointOf(yield* plan({ ...held.request, decisions }), id), { required: true, answered: true, default: null })
      assert.deepStrictEqual(yield* closed({ ...held, decisions }), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("that pays what the account holds anyway, and more than it takes to leave it, is left unasked", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const [id = ""] = yield* held.on(Given(held.source, held.asset, 100_0000000n, first))
      yield* laterLedger
      const asked = yield* plan(held.request)
      assert.deepInclude(pointOf(asked, id), { required: false, default: "exit" })
      assert.deepStrictEqual(yield* closed({ ...held, decisions: answersTo(asked) }), [
        "EXIT_POSITIONS",
        "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
      ])
    }))

  it.effect("of some worth can be given up together with the floor that was told beside it: less is sold, at the same price", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const [id = ""] = yield* held.on(Given(held.source, held.asset, 100_0000000n, first))
      yield* laterLedger
      const asked = yield* plan(held.request)
      const floor = echo(pointOf(asked, held.decision), "convert_to_native")
      assert.strictEqual(floor.params?.amount, "110.0000000")
      const decisions = [
        ...answersTo(asked).filter((answer) => answer.id !== held.decision),
        floor,
        echo(pointOf(asked, id), "acknowledge_forfeit")
      ]
      const ready = yield* plan({ ...held.request, decisions })
      assert.deepStrictEqual([ready.status, ready.blockers], ["ready", []])
      assert.deepStrictEqual(ready.warnings.filter(({ code }) => code === "amount_changed").map(({ subject }) => subject), [
        `USD:${held.issuer.publicKey()}`
      ])
      assert.deepStrictEqual(yield* closed({ ...held, decisions }), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("that pays what an issuer may freeze says so, and onto a line that is no wider than it needs when its owner wants it", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const { asset, issuer } = yield* held.on(Issued("ICE"))
      yield* held.on(perform("the issuer may revoke", { as: issuer, operations: [Operation.setOptions({ setFlags: AuthRevocableFlag })] }))
      const [id = ""] = yield* held.on(Given(held.source, asset, 100_0000000n, first))
      yield* laterLedger
      const asked = yield* plan(held.request)
      const point = pointOf(asked, id)
      assert.deepInclude(point, { required: true, default: null })
      assert.match(
        point.options[0]?.note ?? "",
        /^It pays ICE:\w+, whose issuer may freeze or claw back the payout and so block the merge\./
      )
      const wanted = [...answersTo(asked).filter((answer) => answer.id !== id), echo(point, "exit")]
      const decisions = [
        ...wanted,
        ...answersTo(yield* plan({ ...held.request, decisions: wanted })).filter((answer) => !wanted.some((one) => one.id === answer.id))
      ]
      const line = yield* offered({ ...held.request, decisions })
      assert.deepStrictEqual(line.intent.operations.map((operation) => operation.type === "change_trust" && operation.limit), [
        "201.0000000"
      ])
    }))

  it.effect("with twenty others of its protocol is asked about together with them", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const ids = yield* held.on(Given(held.source, held.asset, 1n, ...giftPools.slice(0, 21)))
      yield* laterLedger
      const asked = yield* plan(held.request)
      assert.isEmpty(asked.decisionPoints.filter(({ id }) => ids.includes(id)))
      const point = pointOf(asked, "positions:amm_2")
      assert.deepInclude(point, { type: "positions", required: true, answered: false, default: null })
      assert.match(point.subject, /^21 positions that others can give, in C\w+, /)
      assert.deepStrictEqual(point.options.map(({ id, needs, params }) => [id, needs, params?.maxCount]), [["exit", [], undefined], [
        "acknowledge_forfeit",
        [],
        1042
      ]])
      const few = echo(point, "acknowledge_forfeit", { maxCount: 20 })
      const others = answersTo(asked).filter(({ id }) => id !== point.id)
      assert.strictEqual((yield* plan({ ...held.request, decisions: [...others, few] })).status, "needs_decisions")
      const decisions = [...others, echo(point, "acknowledge_forfeit")]
      const ready = yield* plan({ ...held.request, decisions })
      assert.deepStrictEqual([ready.status, ready.warnings.filter(({ subject }) => subject === point.id).map(({ code }) => code)], [
        "ready",
        ["forfeit_acknowledged"]
      ])
      assert.deepStrictEqual(yield* closed({ ...held, decisions }), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("and that nothing buys is given up with all others of its kind by an answer that counts them, also when there are few left", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const { asset } = yield* held.on(Issued("DUST", [held.source, "1"]))
      const ids = yield* held.on(Given(held.source, asset, 1n, first, second))
      yield* laterLedger
      const asked = yield* plan(held.request)
      assert.includeMembers(asked.decisionPoints.filter(({ required }) => required).map(({ id }) => id), [...ids])
      const own = answersTo(asked, "convert_to_native", "return_to_issuer").filter(({ id }) => !ids.includes(id))
      const given = (maxCount: number): Asked => ({
        ...held.request,
        decisions: [...own, { id: "positions:others", choice: "forfeit", params: { ids: [...ids], maxCount } }]
      })
      const counted = yield* plan(given(1))
      const point = pointOf(counted, "positions:others")
      assert.deepInclude(point, { type: "positions", required: true, answered: false, default: null })
      assert.match(point.subject, /^2 positions that others can give, in C\w+, C\w+$/)
      assert.deepStrictEqual(point.options.map(({ id, needs, params }) => [id, needs, params?.maxCount]), [["forfeit", [], 1004]])
      assert.isEmpty(counted.decisionPoints.filter(({ id }) => ids.includes(id)))
      assert.strictEqual(counted.status, "needs_decisions")
      assert.deepInclude(yield* refusal("next", given(1)), { code: "needs_decisions", details: { missing: ["positions:others"] } })
      const decisions = [...own, echo(point, "forfeit")]
      const ready = yield* plan({ ...held.request, decisions })
      assert.deepStrictEqual([
        ready.status,
        ready.unusedDecisions,
        ready.warnings.filter(({ subject }) => subject === point.id).map(({ code }) => code)
      ], ["ready", [], ["forfeit_acknowledged"]])
      assert.deepStrictEqual(yield* closed({ ...held, decisions }), ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("after an answer about many of its protocol is asked about alone: that answer covers those that it names", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const ids = yield* held.on(Given(held.source, held.asset, 1n, ...giftPools.slice(0, 21)))
      yield* laterLedger
      const asked = yield* plan(held.request)
      const answer = echo(pointOf(asked, "positions:amm_2"), "acknowledge_forfeit")
      assert.sameMembers([...(answer.params?.ids ?? [])], [...ids])
      const decisions = [...answersTo(asked).filter(({ id }) => id !== answer.id), answer]
      const [next = ""] = yield* held.on(Given(held.source, held.asset, 1n, giftPools[21] ?? 0))
      yield* laterLedger
      const told = yield* plan({ ...held.request, decisions })
      assert.deepInclude(pointOf(told, next), { required: true, answered: false })
      assert.deepInclude(pointOf(told, answer.id), { answered: true })
      assert.deepInclude(yield* refusal("next", { ...held.request, decisions }), { code: "needs_decisions", details: { missing: [next] } })
    }))

  it.effect("is not given up by an answer about many once it is worth leaving: it is left by default", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const [grown = ""] = yield* held.on(Given(held.source, held.asset, 1n, ...giftPools.slice(0, 21)))
      yield* laterLedger
      const asked = yield* plan(held.request)
      const answer = echo(pointOf(asked, "positions:amm_2"), "acknowledge_forfeit")
      const decisions = [...answersTo(asked).filter(({ id }) => id !== answer.id), answer]
      yield* held.on(Given(held.source, held.asset, 1000_0000000n, first))
      yield* laterLedger
      const told = yield* plan({ ...held.request, decisions })
      assert.deepInclude(pointOf(told, grown), { required: false, default: "exit" })
      assert.deepInclude(pointOf(told, answer.id), { answered: true })
      assert.deepStrictEqual((yield* next({ ...held.request, decisions })).transactions[0]?.covers, ["EXIT_POSITIONS"])
    }))

  it.effect("and that nothing buys is asked about alone where the answer about all of its kind names others only", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const { asset } = yield* held.on(Issued("DUST", [held.source, "1"]))
      const [named = "", other = ""] = yield* held.on(Given(held.source, asset, 1n, first, second))
      yield* laterLedger
      const asked = yield* plan(held.request)
      const own = answersTo(asked, "convert_to_native", "return_to_issuer").filter(({ id }) => id !== named && id !== other)
      const decisions = [...own, { id: "positions:others", choice: "forfeit", params: { ids: [named], maxCount: 1000 } }]
      const told = yield* plan({ ...held.request, decisions })
      assert.deepInclude(pointOf(told, other), { required: true, answered: false })
      assert.deepInclude(pointOf(told, "positions:others"), { answered: true })
      assert.notInclude(told.decisionPoints.map(({ id }) => id), named)
      assert.deepInclude(yield* refusal("next", { ...held.request, decisions }), { code: "needs_decisions", details: { missing: [other] } })
    }))

  it.effect("that is worth leaving is left though it was modified later, where no event tells that all of it came since", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      const asked = yield* plan(held.request)
      const decisions = [...answersTo(asked), echo(pointOf(asked, "later"), "leave_what_came_later")]
      yield* laterLedger
      yield* held.on(Given(held.source, held.asset, 100_0000000n, first))
      yield* laterLedger
      assert.deepStrictEqual((yield* next({ ...held.request, decisions })).transactions[0]?.covers, ["EXIT_POSITIONS"])
    }))
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { type Answer, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { rentAt } from "../support/Rent.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, lyingRpc } from "./support/LyingRpc.ts"
import { AnotherPosition, laterLedger, ToyHolder, toyService, toyServiceThrough } from "./support/ToyService.ts"

/** An account that leaves one position cheaply, and a later one only for the rent of an archived entry. */
const TwoPositions = (first: number, second: number, lumens: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool: first, owned: "1", lumens }))
    const later = yield* on(AnotherPosition(held, second, true))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    return { ...held, later: later.id, request, asked: yield* plan(request) }
  })

layer(toyService, { excludeTestServices: true })("a later exit that costs more than the service pays unasked", (it) => {
  it.effect("is asked about before the first one is made, with its figure beside what it pays, and counted", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(rentAt(6_000_000n))
      const held = yield* TwoPositions(0, 1, "300")
      assert.strictEqual(held.asked.status, "needs_decisions", JSON.stringify(held.asked.blockers))
      const point = pointOf(held.asked, held.later)
      assert.deepInclude(point, { required: true, answered: false, default: null })
      const [exit] = point.options
      assert.match(exit?.note ?? "", /resource fee of \d+\.\d+ lumens now.* It pays 100\.0000000 EUR:/)
      const most = Number(exit?.params?.maxResourceFee)
      assert.isTrue(most > 20 && most < 200, `${most}`)
      assert.isAbove(Number(held.asked.estimate.feeLumens), most / 1.2)
      assert.include(point.options.map(({ id }) => id), "acknowledge_forfeit")
      const others = answersTo(held.asked).filter(({ id }) => id !== held.later)
      const missing = yield* refusal("next", { ...held.request, decisions: others })
      assert.deepStrictEqual([missing.code, missing.details["missing"]], ["needs_decisions", [held.later]])
      // A consent to less than the cost is not enough.
      const little = yield* refusal("next", { ...held.request, decisions: [...others, echo(point, "exit", { maxResourceFee: "6" })] })
      assert.deepStrictEqual([little.code, little.details["missing"]], ["needs_decisions", [held.later]])
      const beyond = yield* refusal("plan", { ...held.request, decisions: [echo(point, "exit", { maxResourceFee: "500.0000001" })] })
      assert.strictEqual(beyond.code, "invalid_decisions")
    }))

  it.effect.runIf(isThorough)("is made when its owner accepts the fee by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(rentAt(6_000_000n))
      const held = yield* TwoPositions(2, 3, "300")
      const decisions: ReadonlyArray<Answer> = answersTo(held.asked)
      const ready = yield* plan({ ...held.request, decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      const covered: Array<string> = []
      while ((yield* accountOf(held.source)) !== null) {
        const next = yield* offered({ ...held.request, decisions })
        yield* submit(yield* signed(next, held.source))
        yield* laterLedger
        covered.push(next.covers.join("+"))
      }
      assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    }))

  it.effect("is refused in words where no transaction of the account itself can offer the fee, and built where somebody else pays", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(rentAt(6_000_000n))
      const held = yield* TwoPositions(6, 7, "900")
      const usual = Number(pointOf(held.asked, held.later).options[0]?.params?.maxResourceFee)
      yield* on(rentAt(BigInt(Math.round((6_000_000 * 450 * 1.1) / usual))))
      const decisions = [...answersTo(held.asked).filter(({ id }) => id !== held.later), {
        id: held.later,
        choice: "exit",
        params: { maxResourceFee: "500" }
      }]
      const asked = yield* plan({ ...held.request, decisions })
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["position_locked"])
      assert.match(asked.blockers[0]?.message ?? "", /needs a resource fee of 4[3-9]\d\.\d+ lumens, .* feePayer fee_bump/)
      const refused = yield* refusal("next", { ...held.request, decisions })
      assert.strictEqual(refused.code, "position_exit_unavailable")
      const wrapped = yield* plan({ ...held.request, decisions, feePayer: "fee_bump" })
      assert.strictEqual(wrapped.status, "ready", JSON.stringify(wrapped.blockers))
    }))

  it.effect("is told as what the lumens do not suffice for, before anything is done", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(rentAt(6_000_000n))
      const held = yield* TwoPositions(4, 5, "10")
      const planned = yield* plan({ ...held.request, decisions: answersTo(held.asked) })
      assert.deepStrictEqual(planned.blockers.map(({ reason }) => reason), ["insufficient_lumens"])
      assert.match(planned.blockers[0]?.message ?? "", /^Transaction 2 of the close needs/)
      const given = echo(pointOf(held.asked, held.later), "acknowledge_forfeit")
      const decisions = [...answersTo(held.asked).filter(({ id }) => id !== held.later), given]
      assert.strictEqual((yield* plan({ ...held.request, decisions })).status, "ready")
    }))
})

const { between, lying } = lyingRpc()

/** Reports this cost in lumens for every call. */
const dear = (lumens: bigint): Lie => (honest) => ({ ...honest, minResourceFee: (lumens * 10_000_000n).toString() })

layer(toyServiceThrough(between), { excludeTestServices: true })("a fee that a simulation makes up", (it) => {
  it.effect("is not put before the owner where the ledger's own prices cannot come to it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool: 0 }))
      yield* laterLedger
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const asked = yield* lying(dear(300n), plan(request))
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["position_locked"])
      assert.match(asked.blockers[0]?.message ?? "", /more than the ledger's own prices add up to/)
      assert.isUndefined(pointOf(asked, held.id).options.find(({ id }) => id === "exit")?.params)
      const accepting = { id: held.id, choice: "exit", params: { maxResourceFee: "500" } }
      const decisions = [...answersTo(asked), accepting]
      const refused = yield* lying(dear(300n), refusal("next", { ...request, decisions }))
      assert.strictEqual(refused.code, "position_exit_unavailable")
      assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["EXIT_POSITIONS"])
    }))
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { accountOf, heldOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { poolEntries } from "./support/MaliceScene.ts"
import { type Mode, TOY_POOL_HASH, UPGRADED_HASH } from "./support/ToyPool.ts"
import { poolAddresses } from "./support/ToyProtocol.ts"
import { laterLedger, ToyHolder, type ToyOptions, toyService } from "./support/ToyService.ts"

const prepared = (pool: number, mode: Mode, debt: Pick<ToyOptions, "debt" | "owned"> = {}) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool, mode, ...debt }))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    const asked = yield* plan(request)
    return { ...held, request, asked, decisions: answersTo(asked) }
  })

/** From now on the pool runs that code and behaves in this mode. */
const becomes = (
  { maker, pool }: { readonly maker: { readonly publicKey: () => string }; readonly pool: number },
  code: string,
  mode: Mode
) =>
  Effect.gen(function*() {
    const { passphrase, sandbox } = yield* Service
    const manner = { code, mode, thief: maker.publicKey(), passphrase }
    yield* sandbox.amend((state) => state.set(poolEntries(poolAddresses[pool] ?? "", manner)))
    yield* laterLedger
  })

const unsafe = [
  ["hidden", /covers more than leave/],
  ["deep", /covers more than leave/],
  ["approves", /covers more than leave/],
  ["approvesItself", /covers more than leave/],
  ["another", /more than one authorisation/],
  ["greedy", /would pay 95\.0000000 USD:G[A-Z0-9]{55} instead of 100\.0000000/],
  ["lumens", /would take more native than it declares/],
  ["robs", /would take more C[A-Z0-9]{55} than it declares/],
  ["allows", /would leave G[A-Z0-9]{55} an allowance/],
  ["foreign", /would pay USD:G[A-Z0-9]{55} to G/],
  ["diverts", /would pay 0\.0000000 USD:G[A-Z0-9]{55} instead of 100\.0000000/],
  ["pockets", /would pay 0\.0000000 USD:G[A-Z0-9]{55} instead of 100\.0000000/],
  ["halves", /would pay 50\.0000000 USD:G[A-Z0-9]{55} instead of 100\.0000000/],
  ["shaves", /would pay 98\.0000000 USD:G[A-Z0-9]{55} instead of 100\.0000000/]
] as const

layer(toyService, { excludeTestServices: true })("a pool of known code that means harm", (it) => {
  for (const [pool, [mode, reason]] of unsafe.entries()) {
    it.effect(`is not called, and the plan says why: ${mode}`, () =>
      Effect.gen(function*() {
        const { asked, decisions, id, request } = yield* prepared(pool, mode)
        assert.strictEqual(asked.status, "needs_decisions", JSON.stringify(asked))
        const [blocked] = asked.blockers
        assert.deepStrictEqual([blocked?.reason, blocked?.subject], ["position_locked", id])
        assert.match(blocked?.message ?? "", reason)
        const refused = yield* refusal("next", { ...request, decisions })
        assert.strictEqual(refused.code, "position_exit_unsafe", JSON.stringify(refused))
        assert.match(String(refused.details["reason"]), reason)
      }))
  }

  for (
    const [pool, mode, reason] of [[20, "misdirects", /covers more than leave/], [
      21,
      "forwards",
      /would pay EUR:G[A-Z0-9]{55} to G/
    ]] as const
  ) {
    it.effect(`is not called, and the plan says why, where what the account owes goes to somebody else: ${mode}`, () =>
      Effect.gen(function*() {
        const { asked, decisions, request } = yield* prepared(pool, mode, { debt: 4_0000000n, owned: "10" })
        assert.deepStrictEqual(asked.blockers.map((one) => one.reason), ["position_locked"])
        const refused = yield* refusal("next", { ...request, decisions })
        assert.strictEqual(refused.code, "position_exit_unsafe", JSON.stringify(refused))
        assert.match(String(refused.details["reason"]), reason)
      }))
  }

  it.effect("is not called when it turns between plan and build", () =>
    Effect.gen(function*() {
      const held = yield* prepared(15, "honest")
      assert.deepStrictEqual(held.asked.blockers, [])
      yield* becomes({ ...held, pool: 15 }, TOY_POOL_HASH, "pockets")
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: held.decisions })).code, "position_exit_unsafe")
    }))

  it.effect("is not called when it was upgraded between plan and build, even to code that does the same", () =>
    Effect.gen(function*() {
      const held = yield* prepared(16, "honest")
      assert.deepStrictEqual(held.asked.blockers, [])
      yield* becomes({ ...held, pool: 16 }, UPGRADED_HASH, "honest")
      const refused = yield* refusal("next", { ...held.request, decisions: held.decisions })
      assert.strictEqual(refused.code, "position_exit_unavailable")
      assert.match(String(refused.details["reason"]), /code that this service does not know/)
    }))

  for (
    const [pool, code, mode] of [[17, UPGRADED_HASH, "pockets"], [18, TOY_POOL_HASH, "hidden"], [19, TOY_POOL_HASH, "foreign"]] as const
  ) {
    it.effect(`gets nothing when it turns between build and submit: ${code === UPGRADED_HASH ? "upgraded" : mode}`, () =>
      Effect.gen(function*() {
        const held = yield* prepared(pool, "honest")
        const envelope = yield* signed(yield* offered({ ...held.request, decisions: held.decisions }), held.source)
        yield* becomes({ ...held, pool }, code, mode)
        const before = yield* heldOf(held.source, held.asset)
        const refused = yield* refusal("submit", { signedXdr: envelope })
        assert.strictEqual(refused.code, "transaction_failed", JSON.stringify(refused))
        // The call only cost its fee: the position is unchanged.
        assert.strictEqual(yield* heldOf(held.source, held.asset), before)
        assert.isNotNull(yield* accountOf(held.source))
        assert.include((yield* plan(held.request)).decisionPoints.map(({ id }) => id), held.id)
      }))
  }
})

import { assert } from "@effect/vitest"
import { Asset, AuthRequiredFlag, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

/** An account without a trustline to the asset of its position, after some change, with its plan. */
const without = (
  pool: number,
  lumens: string,
  happen: (held: { readonly issuer: Keypair; readonly maker: Keypair }) => Parameters<typeof perform>[1] | null = () => null
) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool, line: false, lumens }))
    const step = happen(held)
    if (step !== null) yield* on(perform("something happens to the issuer", step))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    const asked = yield* plan(request)
    return { ...held, request, asked, decisions: answersTo(asked), payout: `USD:${held.issuer.publicKey()}` }
  })

layer(toyService, { excludeTestServices: true })("a payout without a trustline", (it) => {
  it.effect("that lumens do not suffice for is a blocker and a refusal of its own, and an exit that can afford it goes on", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asked, decisions, maker, payout, request, source } = yield* without(20, "1.4")
      assert.strictEqual(asked.status, "needs_decisions")
      assert.deepStrictEqual(asked.blockers.map(({ reason, subject }) => [reason, subject]), [["payout_trustline_missing", payout]])
      assert.match(asked.blockers[0]?.message ?? "", /too few lumens/)
      const refused = yield* refusal("next", { ...request, decisions })
      assert.deepStrictEqual([refused.status, refused.code, refused.details["asset"]], [422, "payout_trustline_missing", payout])
      yield* on(
        perform("somebody sends lumens", {
          as: maker,
          operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "1" })]
        })
      )
      yield* laterLedger
      assert.deepStrictEqual((yield* offered({ ...request, decisions: answersTo(yield* plan(request)) })).covers, ["ADD_TRUSTLINE"])
    }))

  it.effect("that an issuer would have to authorise is refused, whatever the account can afford", () =>
    Effect.gen(function*() {
      const { asked, decisions, payout, request } = yield* without(
        21,
        "100",
        ({ issuer }) => ({ as: issuer, operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })] })
      )
      assert.deepStrictEqual(asked.blockers.map(({ reason, subject }) => [reason, subject]), [["payout_trustline_missing", payout]])
      assert.match(asked.blockers[0]?.message ?? "", /must authorise/)
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "payout_trustline_missing")
    }))

  it.effect("that has no issuer any more is refused", () =>
    Effect.gen(function*() {
      const { asked, decisions, id, payout, request } = yield* without(
        22,
        "100",
        ({ issuer, maker }) => ({ as: issuer, operations: [Operation.accountMerge({ destination: maker.publicKey() })] })
      )
      assert.deepStrictEqual(asked.blockers.map(({ reason, subject }) => [reason, subject]), [["payout_trustline_missing", payout]])
      assert.match(asked.blockers[0]?.message ?? "", /does not exist/)
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "payout_trustline_missing")
      assert.notInclude(pointOf(asked, id).options.map((option) => option.id), "exit_without_rewards")
    }))

  it.effect("is not missing where an authorised line only lacks room: its limit is raised, and the issuer is not asked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, issuer, source } = yield* on(ToyHolder({ pool: 23 }))
      yield* on(perform("the line gets narrow", { as: source, operations: [Operation.changeTrust({ asset, limit: "10" })] }))
      yield* on(
        perform("the issuer authorises from now on", { as: issuer, operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })] })
      )
      yield* laterLedger
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.deepStrictEqual([asked.blockers, asked.steps[0]?.type, asked.steps[0]?.title.split(" ")[0]], [[], "ADD_TRUSTLINE", "Raise"])
      assert.deepStrictEqual((yield* offered({ ...request, decisions: answersTo(asked) })).covers, ["ADD_TRUSTLINE"])
    }))

  it.effect("that only lacks room takes no reserve: an account without free lumens raises its limit where another account pays", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      // Reserves of the account and its line are 1.5 lumens; 0.4 are free, less than a further reserve.
      const { asset, destination, source } = yield* on(ToyHolder({ pool: 24, lumens: "1.9" }))
      yield* on(perform("the line gets narrow", { as: source, operations: [Operation.changeTrust({ asset, limit: "10" })] }))
      yield* laterLedger
      const request = { source: source.publicKey(), destination: destination.publicKey(), feePayer: "fee_bump" } as const
      const asked = yield* plan(request)
      assert.deepStrictEqual([asked.blockers, asked.steps[0]?.title.split(" ")[0]], [[], "Raise"])
      assert.deepStrictEqual((yield* offered({ ...request, decisions: answersTo(asked) })).covers, ["ADD_TRUSTLINE"])
    }))
})

import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"
import { decoded } from "./support/Signing.ts"

layer(Service.layer(), { excludeTestServices: true })("the steps of a close", (it) => {
  it.effect("take back an own offer before a conversion that would meet it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, decision, destination, source } = yield* on(HolderWithMarket())
      yield* on(perform("its own lumens, cheaper than anybody else's", {
        as: source,
        operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "50", price: "2.5" })]
      }))
      const { envelopes, plan: ready } = yield* closeThrough({ source, destination })
      assert.strictEqual(pointOf(ready, decision).options[0]?.id, "convert_to_native")
      const types = (yield* decoded({ xdr: envelopes[0]! })).operations.map(({ type }) => type)
      assert.deepStrictEqual(types, ["manageSellOffer", "pathPaymentStrictSend", "changeTrust", "accountMerge"])
    }))

  it.effect("come in one order: what locks and frees, what arrives, what leaves with its line, the merge", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, issuer, source } = yield* on(HolderWithMarket())
      const ward = Keypair.random()
      yield* on(fund("100", ward))
      const empty = new Asset("EMPTY", issuer.publicKey())
      yield* on(perform("a bit of everything", {
        as: source,
        signedBy: [source, ward],
        operations: [
          Operation.changeTrust({ asset: empty }),
          Operation.manageData({ name: "entry", value: "1" }),
          Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "5", price: "9" }),
          Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
          Operation.manageData({ name: "entry", value: "1", source: ward.publicKey() }),
          Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
        ]
      }))
      yield* on(perform("a claimable balance", {
        as: issuer,
        operations: [Operation.createClaimableBalance({ asset, amount: "3", claimants: [new Claimant(source.publicKey())] })]
      }))
      const { plan: ready, rounds } = yield* closeThrough({ source, destination, wished: ["i_control_this_address", "claim"] })
      assert.lengthOf(rounds, 1)
      assert.deepStrictEqual(ready.steps.map(({ type }) => type), [
        "CANCEL_OFFERS",
        "REMOVE_DATA_ENTRIES",
        "REMOVE_TRUSTLINES",
        "REVOKE_SPONSORSHIP",
        "CLAIM_BALANCES",
        "HANDLE_ASSETS",
        "REMOVE_TRUSTLINES",
        "MERGE"
      ])
      assert.deepStrictEqual(ready.steps.map(({ index }) => index), ready.steps.map((_, at) => at))
      for (const { dependsOn, index } of ready.steps) assert.isTrue(dependsOn.every((before) => before < index))
    }))

  it.effect("ask about dust what is left of it, and never sell for a floor of nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("DUST", [source, "0.0000001"]))
      yield* on(Buyer(asset, "100", "1"))
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const point = pointOf(yield* plan(asked), `asset:DUST-${issuer.publicKey()}`)
      assert.deepStrictEqual(point.options.map(({ id, params, recommended = false }) => [id, recommended, params?.minReceive]), [
        ["convert_to_native", false, "0.0000001"],
        ["transfer_to_account", false, undefined],
        ["return_to_issuer", false, undefined]
      ])
      const sale = { id: point.id, choice: "convert_to_native", params: { minReceive: "0.0000001" } }
      const { intent } = yield* offered({ ...asked, decisions: [acknowledges(asked.destination), sale] })
      assert.deepInclude(intent.operations[0], { type: "path_payment_strict_send", destMin: "0.0000001" })
    }))

  it.effect("leave out a sponsorship that ended meanwhile, and do not fail over it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const pair = yield* on(Pair())
      const { source: ward } = yield* on(Pair())
      yield* on(perform("a sponsored entry", {
        as: pair.source,
        signedBy: [pair.source, ward],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
          Operation.manageData({ name: "entry", value: "1", source: ward.publicKey() }),
          Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
        ]
      }))
      const asked = { source: pair.source.publicKey(), destination: pair.destination.publicKey() }
      const seen = yield* plan(asked)
      const revocation = seen.decisionPoints.find(({ type }) => type === "sponsorship")
      const decisions = [...answersTo(seen), echo(revocation!, "revoke")]
      yield* on(perform("the owner removes it", { as: ward, operations: [Operation.manageData({ name: "entry", value: null })] }))
      assert.deepInclude(yield* refusal("next", { ...asked, decisions, planHash: seen.planHash }), { status: 409, code: "plan_changed" })
      const { covers } = yield* offered({ ...asked, decisions })
      assert.deepStrictEqual([...covers], ["MERGE"])
      const { rounds } = yield* closeThrough({ ...pair, decisions })
      assert.deepStrictEqual(rounds.map(({ unusedDecisions }) => [...unusedDecisions]), [[revocation!.id]])
    }))
})

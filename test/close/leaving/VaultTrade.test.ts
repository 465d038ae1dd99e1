import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../../src/sandbox/Network.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { withPrice } from "../../../src/sandbox/scenarios/VaultsEntries.ts"
import { asked, pursued, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { VaultsUnderwater } from "../../support/scenarios/VaultsUnderwater.ts"
import { firstOf } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { settlementOf, vaultDecision, vaultOf } from "./support/Vaults.ts"

const EXIT = "EXIT_POSITIONS"
const USD = vaultDecision("USD")

const given = (planned: Effect.Effect.Success<ReturnType<typeof plan>>, code: string) =>
  planned.warnings.filter((one) => one.code === code).map(({ message, subject }) => `${subject} ${message}`)

/** The maker no longer buys or sells dollars. */
const withoutMarket = (scene: Effect.Effect.Success<typeof VaultsPair>) =>
  Effect.gen(function*() {
    const { state } = yield* (yield* Network).snapshot
    const operations = [...state.entries()].flatMap(({ data }) => {
      if (data.type !== "offer") return []
      const [selling, buying] = [Asset.fromOperation(data.offer.selling), Asset.fromOperation(data.offer.buying)]
      const one = { selling, buying, amount: "0", price: "1", offerId: data.offer.offerId.toString() }
      return selling.equals(scene.usd) || buying.equals(scene.usd) ? [Operation.manageSellOffer(one)] : []
    })
    yield* perform("the maker goes", { as: scene.maker, operations })
  })

/** A pair of vaults without a buyer of dollars. */
const DollarsUnsaleable = Effect.tap(VaultsPair, withoutMarket)

/** The maker buys dollars for fifty lumens each: the dollars of the vault's debt would sell for more than the vault pays. */
const DollarsAreDear = Effect.tap(DollarsUnsaleable, ({ maker, usd }) =>
  perform("the maker buys dollars dearly", {
    as: maker,
    operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: usd, amount: "50000", price: "0.02" })]
  }))

it.scopedLive("a vault that anybody may liquidate is left wherever it pays more than its debt would bring, with a warning", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsUnderwater)
    assert.deepStrictEqual(held.plan.blockers, [])
    const [warned = "", ...others] = given(held.plan, "liquidation_possible")
    assert.isEmpty(others)
    assert.isTrue(
      warned.startsWith(
        `${USD} The vault's collateral is worth 1.0746000 of its debt, under the minimum of 1.1000000. Anyone may liquidate it`
      )
    )
    const { options, required } = pointOf(held.plan, USD)
    assert.deepStrictEqual([required, options.map(({ id, recommended = false }) => [id, recommended])], [false, [["exit", true]]])
    const { paid } = settlementOf(yield* vaultOf(held.source, "USD"))
    const before = yield* lumensOf(held.destination)
    assert.deepStrictEqual(yield* pursued(held), { covered: [EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"], unlocksAt: null })
    assert.isTrue((yield* lumensOf(held.destination)) - before > paid)
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive("the price decides nothing: none, or any other, changes no more than the warning", () =>
  Effect.gen(function*() {
    const held = yield* asked(
      Effect.tap(VaultsPair, () => Effect.flatMap(Network, ({ amend }) => amend((state) => withPrice(state, "USD", 1n))))
    )
    assert.deepStrictEqual([held.plan.blockers, given(held.plan, "liquidation_possible").length], [[], 1])
    assert.include((yield* offered({ ...held.request, decisions: answersTo(held.plan) })).covers, EXIT)
  }).pipe(Effect.provide(vaultsService)))

for (
  const [what, scenario, note] of firstOf(
    1,
    [
      [
        "pays less than its debt would bring",
        DollarsAreDear,
        /It pays 3564\.0900000 lumens for 120\.0000000 USDx:G\w+, which would bring 6000\.0000000 lumens if it were sold\. /
      ],
      [
        "pays for something that has no quote",
        DollarsUnsaleable,
        /It pays 3564\.0900000 lumens for 120\.0000000 USDx:G\w+, for which there is no quote\. /
      ]
    ] as const
  )
) {
  it.scopedLive(`a vault that ${what} is its owner's to decide: nothing is recommended, both amounts are named, both ways go`, () =>
    Effect.gen(function*() {
      const held = yield* asked(scenario)
      assert.deepStrictEqual([held.plan.blockers, held.plan.status], [[], "needs_decisions"])
      const point = pointOf(held.plan, USD)
      assert.deepStrictEqual([point.required, point.answered, point.default], [true, false, null])
      assert.deepStrictEqual(point.options.map(({ id, recommended = false }) => [id, recommended]), [["exit", false], [
        "acknowledge_forfeit",
        false
      ]])
      assert.match(point.options[0]?.note ?? "", note)
      const others = answersTo(held.plan).filter(({ id }) => id !== USD)
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: others })).code, "needs_decisions")
      // The dollars for the debt are a balance like any other then.
      const anew = answersTo(yield* plan({ ...held.request, decisions: [echo(point, "acknowledge_forfeit")] }), "return_to_issuer")
      const forfeited = yield* plan({
        ...held.request,
        decisions: [echo(point, "acknowledge_forfeit"), ...anew.filter(({ id }) => id !== USD)]
      })
      assert.deepStrictEqual([forfeited.status, given(forfeited, "forfeit_acknowledged").length], ["ready", 1])
      const left = yield* plan({ ...held.request, decisions: [...others, echo(point, "exit")] })
      assert.strictEqual(left.status, "ready", JSON.stringify(left.decisionPoints))
      assert.deepStrictEqual((yield* pursued(held)).covered, [EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(vaultsService)))
}

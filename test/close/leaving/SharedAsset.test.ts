import { assert, it } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { LendingAndVaults } from "../../../src/sandbox/scenarios/LendingAndVaults.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { openVault, VaultsMarketOf } from "../../../src/sandbox/scenarios/VaultsMarket.ts"
import { advanced, asked, laterLedger, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { emissionsFor } from "../../support/scenarios/LendingEmissions.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { pays } from "./support/Paying.ts"
import { vaultDecision } from "./support/Vaults.ts"

const buy = "buy_repay_asset_then_exit"

const bothService = serviceOver(["lend_1", "cdp_1"])

/** An account that owes 120 USDC to a vault and holds them, and owes 50 of a spent asset to a pool. */
const OwingTwice = (lent: "usdc" | "eurc", lumens: string) =>
  Effect.gen(function*() {
    const lending = yield* LendingNewcomer
    const { eurc, issuer, lender, native, source, usdc } = lending
    yield* VaultsMarketOf({ issuer, usd: usdc, eur: eurc })
    yield* perform("the account trusts both", { as: source, operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset })) })
    yield* openVault("the account opens a vault", { owner: source, denomination: "USD", collateral: 2_000n, debt: 120n })
    yield* submitRequests("the account borrows", source, ["supplyCollateral", native, 2_000n * lumen], [
      "borrow",
      lending[lent],
      50n * lumen
    ])
    yield* pays(source, lender, lending[lent], "50")
    yield* pays(source, lender, native, lumens)
    return lending
  })

it.scopedLive.runIf(isThorough)("two debts that each could be paid are not paid with the same balance twice", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(OwingTwice("usdc", "100"))
    assert.deepStrictEqual([held.plan.status, held.plan.blockers], ["needs_decisions", []])
    const point = pointOf(held.plan, vaultDecision("USD"))
    assert.deepInclude(point, { required: true, answered: false })
    const told = /needs (\d+\.\d+) of USDC:\w+, and (\d+\.\d+) can be spent/.exec(point.options[0]?.note ?? "")
    assert.strictEqual(told?.[1], "120.0000000")
    // The other debt at the time when the missing amount has arrived, to a thousandth.
    assert.approximately(Number(told?.[2]), 70, 0.001)
    // The reported shortage is enough.
    yield* on(pays(held.issuer, held.source, held.usdc, (120 - Number(told?.[2])).toFixed(7)))
    yield* laterLedger
    assert.deepStrictEqual((yield* plan(held.request)).blockers, [])
    yield* pursued(held)
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(bothService)))

it.scopedLive.runIf(isThorough)("what both lack together is bought before either is paid", () =>
  Effect.gen(function*() {
    const held = yield* asked(OwingTwice("usdc", "100"))
    const option = pointOf(held.plan, vaultDecision("USD")).options.find(({ id }) => id === buy)
    // Some 50 USDC at 12 lumens each.
    assert.approximately(Number(option?.params?.maxSpend), 604, 2)
    assert.deepStrictEqual((yield* pursued(held, buy)).covered.slice(0, 3), ["EXIT_POSITIONS", "EXIT_POSITIONS", "EXIT_POSITIONS"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(bothService)))

it.scopedLive("what one debt needs is not spent on what another lacks", () =>
  Effect.gen(function*() {
    const held = yield* asked(OwingTwice("eurc", "980"))
    const [blocked] = held.plan.blockers
    assert.strictEqual(blocked?.reason, "position_locked")
    assert.notInclude(blocked?.subject ?? "", "cdp_1")
    // 120 USDC would buy 50 EURC, but the vault needs those 120.
    const option = pointOf(held.plan, blocked?.subject ?? "").options.find(({ id }) => id === buy)
    assert.isUndefined(option?.params, JSON.stringify(option))
  }).pipe(Effect.provide(bothService)))

/**
 * An account that owes 120 USDC to a vault and holds 80. Another position that owes USDC waits for the vault: the vault's lumens are owed
 * there as well. That position has earned BLND.
 */
const EarningMeanwhile = Effect.gen(function*() {
  const lending = yield* LendingNewcomer
  const { assets, blnd, eurc, issuer, lender, native, source, usdc } = lending
  yield* VaultsMarketOf({ issuer, usd: usdc, eur: eurc })
  yield* perform("the account trusts both", { as: source, operations: [usdc, blnd].map((asset) => Operation.changeTrust({ asset })) })
  yield* openVault("the account opens a vault", { owner: source, denomination: "USD", collateral: 2_000n, debt: 120n })
  yield* submitRequests(
    "the account borrows",
    source,
    ["supplyCollateral", native, 2_000n * lumen],
    ["borrow", native, 2n * lumen],
    ["borrow", usdc, 10n * lumen]
  )
  yield* pays(source, lender, usdc, "50")
  yield* emissionsFor(9, assets)
  return lending
})

it.scopedLive("what is earned is claimed to pay a debt with, though what is held would pay it were it not for another debt", () =>
  Effect.gen(function*() {
    const held = yield* asked(EarningMeanwhile)
    const [lent] = held.plan.decisionPoints.filter(({ id, type }) => type === "position" && id.includes("lend_1"))
    if (lent === undefined) return assert.fail("the pool is not asked about")
    const earned = `BLND:${held.blnd.getIssuer()}`
    const decisions = withAnswer(answersTo(held.plan, buy), echo(lent, buy, { spendAsset: earned, maxSpend: "1000" }))
    const planned = yield* plan({ ...held.request, decisions })
    assert.deepStrictEqual([planned.status, planned.blockers], ["ready", []])
  }).pipe(Effect.provide(bothService)))

/** The lent amount pays a part of the vault's debt, and an offer locks the small rest. */
const FedTooLittle = Effect.gen(function*() {
  const scene = yield* LendingAndVaults
  const { lender, native, source, usdc } = scene
  yield* pays(source, lender, usdc, "15")
  yield* perform("an offer holds the rest", {
    as: source,
    operations: [Operation.manageSellOffer({ selling: usdc, buying: native, amount: "5", price: "90" })]
  })
  return scene
})

it.scopedLive.runIf(isThorough)(
  "a debt that will still lack something is not foreseen as paid, and what pays a part of it is left all the same",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(FedTooLittle)
      const ready = yield* plan({ ...held.request, decisions: answersTo(held.plan) })
      assert.deepStrictEqual([ready.status, ready.projection.status], ["ready", "partial"], JSON.stringify(ready.projection))
      assert.lengthOf(ready.projection.unverified.filter((doubt) => doubt.includes("will still lack")), 1)
      assert.notInclude(ready.steps.map(({ type }) => type), "MERGE")
      const left = yield* advanced(held)
      assert.strictEqual(left._tag, "Offered")
      const after = yield* plan(held.request)
      assert.deepStrictEqual([after.blockers, pointOf(after, vaultDecision("USD")).required], [[], true])
    }).pipe(Effect.provide(bothService))
)

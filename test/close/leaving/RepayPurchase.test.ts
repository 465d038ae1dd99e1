import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { asked, laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingDebtToBuy } from "../../support/scenarios/LendingDebtToBuy.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn, withAnswer } from "../support/Answering.ts"
import { next, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { pays } from "./support/Paying.ts"
import { tokensService } from "./tokens/support/DeclaredTokens.ts"

const buy = "buy_repay_asset_then_exit"

/** An account that owes 4,000 lumens against 1,000 USDC, has spent nearly all of them, and holds 900 USDC and 5 EURC. */
const LumenDebt = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, lender, native, source, usdc } = scene
  yield* perform("the account trusts", { as: source, operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset })) })
  yield* pays(issuer, source, usdc, "1900")
  yield* pays(issuer, source, eurc, "5")
  yield* submitRequests("the account borrows lumens", source, ["supplyCollateral", usdc, 1_000n * lumen], [
    "borrow",
    native,
    4_000n * lumen
  ])
  yield* pays(source, lender, native, "8900")
  return scene
})

/** An account that owes EURC against lumens in the pool. It has spent the EURC and nearly all of its free lumens. */
const AllPosted = Effect.gen(function*() {
  const scene = yield* LendingDebtToBuy
  yield* pays(scene.source, scene.lender, scene.native, "2900")
  return scene
})

it.scopedLive.runIf(isThorough)(
  "a debt of lumens is repaid with lumens bought for what is held and covers it",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(LumenDebt)
      // A shortage that an answer can fix is no blocker: the plan asks the question, and its projection shows the way.
      assert.deepStrictEqual([held.plan.status, held.plan.blockers], ["needs_decisions", []])
      assert.deepInclude(positionIn(held.plan), { required: true, answered: false, default: null })
      assert.deepStrictEqual(positionIn(held.plan).options.map(({ id }) => id), [buy, "acknowledge_forfeit"])
      assert.deepStrictEqual(held.plan.transactions.map(({ covers }) => covers.join("+")), [
        "EXIT_POSITIONS",
        "EXIT_POSITIONS",
        "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
      ])
      assert.isAbove(Number(held.plan.estimate.receivedLumens), 0)
      assert.lengthOf(
        held.plan.projection.unverified.filter((doubt) => doubt.includes("assumes that the missing part of the debt is bought")),
        1
      )
      const { id } = positionIn(held.plan)
      for (const unheeded of [[], [{ id, choice: "exit" }], [{ id, choice: "exit_without_rewards" }]]) {
        const short = yield* refusal("next", {
          ...held.request,
          decisions: [...answersTo(held.plan).filter((one) => one.id !== id), ...unheeded]
        })
        assert.deepStrictEqual([short.status, short.code, short.details["missing"]], [422, "needs_decisions", [id]])
      }
      const option = positionIn(held.plan).options.find(({ id }) => id === buy)
      assert.strictEqual(option?.params?.spendAsset, `USDC:${held.issuer.publicKey()}`)
      // The missing amount: some 3,900 lumens at a tenth of a USDC.
      assert.approximately(Number(option?.params?.maxSpend), 392, 2)
      const less = echo(positionIn(held.plan), buy, { maxSpend: "300" })
      const drifted = yield* refusal("next", { ...held.request, decisions: withAnswer(answersTo(held.plan), less) })
      assert.deepStrictEqual([drifted.code, drifted.details["agreed"]], ["quote_drifted", "300.0000000"])
      // The plan asks again for an answer that cannot be kept, so its status is not `ready`.
      const open = yield* plan({ ...held.request, decisions: withAnswer(answersTo(held.plan), less) })
      assert.strictEqual(open.status, "needs_decisions")
      assert.deepInclude(positionIn(open), { required: true, answered: false })
      const { covered } = yield* pursued(held, buy)
      assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(lendingService))
)

it.scopedLive.runIf(isThorough)(
  "lumens for the calls that are still to come are not spent on the debt: half a lumen each, and ten at most",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* asked(LumenDebt)
      const spent = (from: PlanBody) => Number(positionIn(from).options.find(({ id }) => id === buy)?.params?.maxSpend)
      const given = (count: number) =>
        on(
          Effect.forEach(
            Array.from({ length: count }),
            () => Effect.flatMap(deployToken(), (token) => mintToken(token, held.source.publicKey(), 1n))
          )
        ).pipe(Effect.zipRight(plan(held.request)))
      // A lumen is kept for the only position; a tenth of a USDC buys it.
      assert.approximately(spent(yield* given(1)) - spent(held.plan), 0, 0.02)
      assert.approximately(spent(yield* given(4)) - spent(held.plan), 0.2, 0.02)
      assert.approximately(spent(yield* given(25)) - spent(held.plan), 0.9, 0.02)
    }).pipe(Effect.provide(tokensService(["lend_1"])))
)

it.scopedLive("another asset that the caller names is spent, when it suffices", () =>
  Effect.gen(function*() {
    const held = yield* asked(LumenDebt)
    const eurc = `EURC:${held.issuer.publicKey()}`
    const named = echo(positionIn(held.plan), buy, { spendAsset: eurc, maxSpend: "1000" })
    const short = yield* plan({ ...held.request, decisions: withAnswer(answersTo(held.plan), named) })
    assert.deepStrictEqual(short.blockers.map(({ reason }) => reason), ["position_locked"])
    assert.match(short.blockers[0]?.message ?? "", /costs 39\d\.\d+ EURC:\w+ now, and the account can spend 5\.0000000/)
    const { on } = yield* Service
    yield* on(pays(held.issuer, held.source, held.eurc, "500"))
    yield* laterLedger
    const enough = yield* plan({ ...held.request, decisions: withAnswer(answersTo(held.plan), named) })
    assert.deepStrictEqual([enough.blockers, enough.steps[0]?.takes.map(({ asset }) => asset)], [[], [eurc]])
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("where the collateral is all there is, the refusal says what must be brought, by figures", () =>
  Effect.gen(function*() {
    const held = yield* asked(AllPosted)
    const [blocker, ...others] = held.plan.blockers
    assert.isEmpty(others)
    assert.strictEqual(blocker?.reason, "position_locked")
    assert.match(
      blocker?.message ?? "",
      /^The debt needs 50\.0000\d+ of EURC:\w+, and 0\.0000000 can be spent\. Buying the missing part costs 600\.00\d+ native now, and the account can spend 9\d\.\d+\./
    )
    const option = positionIn(held.plan).options.find(({ id }) => id === buy)
    assert.isUndefined(option?.params)
    const answered = {
      id: positionIn(held.plan).id,
      choice: buy,
      params: { spendAsset: "native", maxSpend: "700", sequence: held.plan.snapshot.sequence }
    }
    const refused = yield* refusal("next", { ...held.request, decisions: withAnswer(answersTo(held.plan), answered) })
    assert.deepStrictEqual([refused.code, String(refused.details["needed"]).slice(0, 7), refused.details["held"]], [
      "repay_asset_short",
      "50.0000",
      "0.0000000"
    ])
    const { on } = yield* Service
    yield* on(pays(held.lender, held.source, Asset.native(), "600"))
    yield* laterLedger
    const { covered } = yield* pursued(held, buy)
    assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
  }).pipe(Effect.provide(lendingService)))

/** The same account with 58 USDC; a EURC costs 1.1 of them on a book of the two, and 1.2 through lumens. */
const BookOfTwo = Effect.gen(function*() {
  const scene = yield* AllPosted
  const { eurc, issuer, lender, source, usdc } = scene
  yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] })
  yield* pays(issuer, source, usdc, "58")
  yield* perform("a market between the two", {
    as: lender,
    operations: [Operation.manageSellOffer({ selling: eurc, buying: usdc, amount: "1000", price: "1.1" })]
  })
  return scene
})

it.scopedLive.runIf(isThorough)(
  "a debt is repaid with what the book between two assets gives for another one that is held",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(BookOfTwo)
      const option = positionIn(held.plan).options.find(({ id }) => id === buy)
      assert.strictEqual(option?.params?.spendAsset, `USDC:${held.issuer.publicKey()}`)
      // Some fifty EURC, and the slippage.
      assert.approximately(Number(option?.params?.maxSpend), 55.3, 0.1)
      const { covered } = yield* pursued(held, buy)
      assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(lendingService))
)

/** Another market price of a EURC, in lumens. */
const marketPays = (price: string) => (scene: Effect.Effect.Success<typeof LendingDebtToBuy>) =>
  Effect.gen(function*() {
    const { eurc, lender, native } = scene
    const { state } = yield* (yield* Network).snapshot
    const bids = [...state.entries()].flatMap(({ data }) => {
      if (data.type !== "offer" || !Asset.fromOperation(data.offer.buying).equals(eurc)) return []
      return [Operation.manageSellOffer({ selling: native, buying: eurc, amount: "0", price: "1", offerId: data.offer.offerId.toString() })]
    })
    yield* perform("the market pays another price", {
      as: lender,
      operations: [...bids, Operation.manageBuyOffer({ selling: native, buying: eurc, buyAmount: "1000", price })]
    })
  })

for (const price of firstOf(2, ["10", "0.001", "0.5"])) {
  it.scopedLive(`no more is bought than the debt grows by, and the first answers close the account where EURC fetches ${price} lumens`, () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* asked(Effect.tap(LendingDebtToBuy, marketPays(price)))
      const { request, source } = held
      const first = answersTo(held.plan)
      const decisions = [
        ...first,
        ...answersTo(yield* plan({ ...request, decisions: first })).filter(({ id }) => !first.some((one) => one.id === id))
      ]
      const seen: Array<string> = []
      while ((yield* accountOf(source)) !== null) {
        const [transaction] = (yield* next({ ...request, decisions })).transactions
        const [bought] = transaction?.intent.operations ?? []
        if (bought?.type === "path_payment_strict_receive") {
          const above = Number(bought.destAmount) - 50
          assert.isTrue(above >= 0 && above < 0.0001, `${bought.destAmount} bought`)
        }
        seen.push(transaction?.covers.join("+") ?? "")
        yield* submit(yield* signed(transaction!, source))
        yield* sandbox.closeLedger({ advanceSeconds: 5 })
        assert.isBelow(seen.length, 6)
      }
      assert.deepStrictEqual(seen.slice(0, 2), ["EXIT_POSITIONS", "EXIT_POSITIONS"])
    }).pipe(Effect.provide(lendingService)))
}

import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { allowanceKey } from "../../../src/ledger/soroban/AssetAllowance.ts"
import { addressOf, i128, struct, u32 } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { advanced, asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingRewards } from "../../support/scenarios/LendingRewards.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"

const EXIT = "EXIT_POSITIONS"
const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
const decline = "exit_without_rewards"

const offers = (planned: Parameters<typeof positionIn>[0]): ReadonlyArray<string> => positionIn(planned).options.map(({ id }) => id)

const given = (planned: Parameters<typeof positionIn>[0], code: string) =>
  planned.warnings.filter((one) => one.code === code).map(({ message }) => message)

/** Rewards, and too few lumens for a trustline for them. */
const Poor = Effect.gen(function*() {
  const scene = yield* LendingRewards
  const network = yield* Network
  const { state } = yield* network.snapshot
  const found = state.get(accountKey(scene.source.publicKey()))?.data
  if (found?.type !== "account") return yield* Effect.dieMessage("no account")
  const amount = found.account.balance - 1_9400000n
  yield* perform("lumens are spent", {
    as: scene.source,
    operations: [
      Operation.payment({
        destination: scene.lender.publicKey(),
        asset: Asset.native(),
        amount: `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, "0")}`
      })
    ]
  })
  return scene
})

/** Rewards that the pool can no longer pay. */
const Paused = Effect.gen(function*() {
  const scene = yield* LendingRewards
  const network = yield* Network
  const token = addressOf(scene.blnd.contractId(network.passphrase))
  yield* network.amend((state) =>
    state.set(
      dataEntries(
        token,
        [allowanceKey(scene.backstop, scene.pool), struct({ amount: i128(0n), live_until_ledger: u32(state.header.ledgerSeq + 100_000) })],
        "temporary",
        state.header.ledgerSeq + 100_000
      )
    )
  )
  return scene
})

it.scopedLive("giving up rewards is offered only where there are some, with the figure", () =>
  Effect.gen(function*() {
    assert.notInclude(offers((yield* asked(LendingDebt)).plan), decline)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)(
  "rewards that are declined are named with their figure, need no line, and are left behind",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(LendingRewards)
      assert.include(offers(held.plan), decline)
      assert.deepStrictEqual(given(held.plan, "forfeit_acknowledged"), [])
      const declined = yield* plan({ ...held.request, decisions: [...answersTo(held.plan), echo(positionIn(held.plan), decline)] })
      assert.match(
        given(declined, "forfeit_acknowledged").join(),
        /^Rewards of 2\d\d\.\d{7} BLND:\w+ in lend_1, \w+, are given up, as decided\.$/
      )
      assert.isFalse(declined.decisionPoints.some(({ id }) => id.startsWith("asset:BLND")), "nothing is asked about what does not come")
      assert.strictEqual(declined.status, "ready")
      yield* advanced(held, decline)
      // Only rewards are left there: without the answer they are claimed, with it they no longer block.
      const left = yield* plan(held.request)
      assert.deepStrictEqual(offers(left), ["exit", decline])
      const over = yield* plan({ ...held.request, decisions: [...answersTo(left), echo(positionIn(left), decline)] })
      assert.match(given(over, "forfeit_acknowledged").join(), /are given up, as decided/)
      assert.isTrue(positionIn(over).answered)
      assert.notInclude(over.unusedDecisions, positionIn(over).id)
      const { covered } = yield* pursued(held, decline)
      assert.deepStrictEqual(covered, [REST])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(lendingService))
)

it.scopedLive.runIf(isThorough)(
  "nothing comes in once the position is left: what is claimed then is all there was",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(LendingRewards)
      assert.deepStrictEqual(given(held.plan, "rewards_too_small"), [])
      for (const _ of ["line", "position", "claim"]) yield* advanced(held)
      const over = yield* plan(held.request)
      assert.deepStrictEqual([given(over, "rewards_too_small"), over.blockers], [[], []])
      assert.deepStrictEqual((yield* pursued(held)).covered, [REST])
    }).pipe(Effect.provide(lendingService))
)

it.scopedLive("rewards for which no line can be afforded block with the asset, until they are declined", () =>
  Effect.gen(function*() {
    const held = yield* asked(Poor)
    assert.deepStrictEqual(held.plan.blockers.map(({ reason }) => reason), ["payout_trustline_missing"])
    assert.match(held.plan.blockers[0]?.message ?? "", /exit_without_rewards/)
    const refused = yield* refusal("next", { ...held.request, decisions: answersTo(held.plan) })
    assert.deepStrictEqual([refused.code, refused.details["asset"]], ["payout_trustline_missing", `BLND:${held.issuer.publicKey()}`])
    const before = yield* lumensOf(held.destination)
    const { covered } = yield* pursued(held, decline)
    assert.deepStrictEqual(covered, [EXIT, REST])
    assert.isAbove(Number((yield* lumensOf(held.destination)) - before), 2_000_0000000)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("rewards whose claim fails block with the reason, until they are declined", () =>
  Effect.gen(function*() {
    const held = yield* asked(Paused)
    // With their trustline the claim can be simulated, and is simulated before the exit.
    yield* advanced(held)
    const blocked = yield* plan(held.request)
    assert.deepStrictEqual(blocked.blockers.map(({ reason }) => reason), ["position_locked"])
    assert.match(
      blocked.blockers[0]?.message ?? "",
      /^Its rewards could not be claimed after the exit. The rewards cannot be paid: .*exit_without_rewards exits without them/
    )
    assert.strictEqual((yield* refusal("next", { ...held.request, decisions: answersTo(blocked) })).code, "position_exit_unavailable")
    assert.deepStrictEqual((yield* pursued(held, decline)).covered, [EXIT, "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"])
  }).pipe(Effect.provide(lendingService)))

import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { backstopV2Hash } from "../../../src/sandbox/contracts/lend1/Backstop.ts"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { vaultsHash } from "../../../src/sandbox/contracts/vaults/Vaults.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { type Failing, failing } from "./support/Failing.ts"
import { vaultDecision, vaultsContract } from "./support/Vaults.ts"

/** Runs a test over vaults that can be made to fail. */
const withVaults = <A, E>(body: (vaults: Failing) => Effect.Effect<A, E, Service>) => {
  const vaults = failing(vaultsHash)
  return Effect.provide(body(vaults), serviceOver(["cdp_1"], { contracts: vaults.contracts }))
}

it.scopedLive("a list that others change while it is read is read again, and the call comes out of the same request", () =>
  withVaults((vaults) =>
    Effect.gen(function*() {
      const held = yield* asked(VaultsPair)
      vaults.fail("pay_debt", 508, 2)
      const transaction = yield* offered({ ...held.request, decisions: answersTo(held.plan) })
      assert.deepStrictEqual([transaction.covers, vaults.failed()], [["EXIT_POSITIONS"], 2])
      vaults.fail("pay_debt", 505, 1)
      const again = yield* plan(held.request)
      assert.deepStrictEqual([again.blockers, vaults.failed()], [[], 3])
      assert.isNotNull(again.transactions[0]?.simulated)
    })
  ))

it.scopedLive.runIf(isThorough)(
  "a list that never stands still is no plan that is ready: after two fresh readings it is told with the contract's words, and can be given up",
  () =>
    withVaults((vaults) =>
      Effect.gen(function*() {
        const held = yield* asked(VaultsPair)
        const decisions = answersTo(held.plan)
        vaults.fail("pay_debt", 509)
        const moving = yield* plan({ ...held.request, decisions })
        assert.deepStrictEqual([moving.status, moving.blockers.map(({ reason, subject }) => [reason, subject])], ["needs_decisions", [[
          "position_locked",
          vaultDecision("USD")
        ]]])
        assert.match(moving.blockers[0]?.message ?? "", /each time it is read and rebuilt.* Error\(Contract, #509\)/)
        assert.include(pointOf(moving, vaultDecision("USD")).options.map(({ id }) => id), "acknowledge_forfeit")
        const refused = yield* refusal("next", { ...held.request, decisions })
        assert.deepStrictEqual([refused.status, refused.code, refused.details], [422, "simulation_failed", {
          reason: "HostError: Error(Contract, #509)"
        }])
        vaults.fail("", 0)
        assert.isNull((yield* pursued(held)).unlocksAt)
        assert.isNull(yield* accountOf(held.source))
      })
    )
)

it.scopedLive.runIf(isThorough)(
  "what the contract refuses is told in its protocol's words, and anything else in plain ones before those of the host",
  () =>
    withVaults((vaults) =>
      Effect.gen(function*() {
        const held = yield* asked(VaultsPair)
        const { request } = held
        const decisions = answersTo(held.plan)
        const refusedWith = (code: number) =>
          Effect.gen(function*() {
            vaults.fail("pay_debt", code)
            const { blockers } = yield* plan({ ...request, decisions })
            assert.deepStrictEqual(blockers.map(({ reason, subject }) => [reason, subject]), [["position_locked", vaultDecision("USD")]])
            return yield* refusal("next", { ...request, decisions })
          })
        const stopped = yield* refusedWith(20)
        assert.deepStrictEqual([stopped.code, stopped.details["contractAddress"]], ["position_exit_unavailable", vaultsContract])
        assert.match(String(stopped.details["reason"]), /^The protocol's operators have stopped it/)
        const stuck = yield* refusedWith(13)
        assert.deepStrictEqual([stuck.code, /stablecoin/.test(String(stuck.details["reason"]))], ["position_exit_unavailable", true])
        // The account holds the debt's asset, so another party must be short.
        const short = yield* refusedWith(10)
        assert.strictEqual(short.code, "simulation_failed")
        assert.match(String(short.details["reason"]), /^The account, or the contract that pays, .* \(HostError: Error\(Contract, #10\)\)$/)
        const unknown = yield* refusedWith(999)
        assert.deepStrictEqual([unknown.code, unknown.details], ["simulation_failed", {
          reason: "The contract rejects the call with its own error, which this service does not know. (HostError: Error(Contract, #999))"
        }])
      })
    )
)

it.scopedLive("a payout that cannot be received names its asset", () => {
  const pools = failing(poolV2Hash)
  return Effect.gen(function*() {
    const held = yield* asked(LendingSupply)
    const { request, usdc } = held
    pools.fail("submit", 13)
    const { blockers } = yield* plan(request)
    const asset = `${usdc.getCode()}:${usdc.getIssuer()}`
    assert.deepStrictEqual(blockers.map(({ reason, subject }) => [reason, subject]), [["payout_trustline_missing", asset]])
    const refused = yield* refusal("next", { ...request, decisions: answersTo(held.plan) })
    assert.deepStrictEqual([refused.code, refused.details], ["payout_trustline_missing", { asset }])
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
})

it.scopedLive.runIf(isThorough)("a wait that is not over for the contract, though it is by its entries, is still a wait", () => {
  const backstops = failing(backstopV2Hash)
  return Effect.gen(function*() {
    const { sandbox } = yield* Service
    const held = yield* asked(LendingBackstop)
    const { unlocksAt } = yield* pursued(held)
    const now = (yield* sandbox.snapshot).state.header.closeTime
    yield* sandbox.closeLedger({ advanceSeconds: Date.parse(unlocksAt ?? "") / 1_000 - Number(now) })
    backstops.fail("withdraw", 1001)
    const decisions = answersTo(yield* plan(held.request))
    const early = yield* refusal("next", { ...held.request, decisions })
    assert.strictEqual(early.code, "position_cooling_down")
    assert.isAtLeast(Date.parse(String(early.details["unlocksAt"])), Date.parse(unlocksAt ?? ""))
    backstops.fail("", 0)
    assert.isNull((yield* pursued(held)).unlocksAt)
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: backstops.contracts })))
})

import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressVal, i128 } from "../../../src/ledger/soroban/Values.ts"
import { backstopV2Hash } from "../../../src/sandbox/contracts/lend1/Backstop.ts"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { asked, laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { deployPool } from "../../support/scenarios/LendingDeployed.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn } from "../support/Answering.ts"
import { offered, plan, type PlanBody, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { failing } from "./support/Failing.ts"

it.scopedLive("a call that the ledger refused twice for the same cause is not made a third time before its owner has been told and says so", () => {
  const pools = failing(poolV2Hash)
  return Effect.gen(function*() {
    const held = yield* asked(LendingSupply)
    const given = { ...held.request, decisions: answersTo(held.plan) }
    const refusedOnLedger = (request: typeof given) =>
      Effect.gen(function*() {
        const transaction = yield* offered(request)
        pools.fail("submit", 1, 1)
        const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, held.source) })
        assert.strictEqual(refused.code, "transaction_failed")
        yield* laterLedger
      })
    yield* refusedOnLedger(given)
    assert.deepInclude(positionIn(yield* plan(given)), { required: false, default: "exit" })
    yield* refusedOnLedger(given)
    const told = yield* plan(given)
    const point = positionIn(told)
    assert.deepInclude(point, { required: true, answered: false, default: null })
    assert.match(point.options[0]?.note ?? "", /^The ledger rejected this call 2 times for the same cause \(op_trapped\)/)
    assert.include(point.options.map(({ id }) => id), "acknowledge_forfeit")
    const stopped = yield* refusal("next", given)
    assert.deepStrictEqual([stopped.code, stopped.details["missing"]], ["needs_decisions", [point.id]])
    // An earlier answer does not count, and each further failure asks for a new one.
    const early = { ...given, decisions: [...given.decisions, { id: point.id, choice: "exit" }] }
    assert.strictEqual((yield* refusal("next", early)).code, "needs_decisions")
    const again = { ...given, decisions: [...given.decisions, echo(point, "exit")] }
    yield* refusedOnLedger(again)
    assert.strictEqual((yield* refusal("next", again)).code, "needs_decisions")
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
})

/** An account that backs two pools, and has no rewards yet. */
const TwoBackstops = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { assets, backstop, comet, lender, pool, source } = scene
  yield* callContract("the lender hands over shares of the liquidity pool", {
    as: lender,
    contract: comet,
    fn: "transfer",
    args: [accountVal(lender), accountVal(source), i128(120n * lumen)]
  })
  for (const backed of [pool, yield* deployPool(lendingContracts.poolFactory, lender, assets)]) {
    yield* callContract("the account backs a pool", {
      as: source,
      contract: backstop,
      fn: "deposit",
      args: [accountVal(source), addressVal(backed), i128(60n * lumen)]
    })
  }
  return scene
})

const positionsIn = ({ decisionPoints }: PlanBody) =>
  decisionPoints.filter(({ type }) => type === "position").map(({ default: choice, id, options, required }) => ({
    id,
    isRejected: options.some(({ note }) => note?.startsWith("The ledger rejected") === true),
    choice,
    required
  }))

it.scopedLive("a call that the ledger refused twice asks nothing of another position that the same function of the same contract leaves", () => {
  const backstops = failing(backstopV2Hash)
  return Effect.gen(function*() {
    const held = yield* asked(TwoBackstops)
    const given = { ...held.request, decisions: answersTo(held.plan) }
    const before = positionsIn(held.plan)
    assert.lengthOf(before, 2)
    for (let turn = 0; turn < 2; turn++) {
      const transaction = yield* offered(given)
      backstops.fail("queue_withdrawal", 1, 1)
      const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, held.source) })
      assert.strictEqual(refused.code, "transaction_failed")
      yield* laterLedger
    }
    const rejected = positionsIn(yield* plan(given)).filter(({ isRejected }) => isRejected)
    assert.lengthOf(rejected, 1)
    assert.deepInclude(rejected[0], { choice: null, required: true })
    assert.sameDeepMembers(
      positionsIn(yield* plan(given)).filter(({ isRejected }) => !isRejected),
      before.filter(({ id }) => id !== rejected[0]?.id)
    )
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: backstops.contracts })))
})

it.scopedLive.runIf(isThorough)("strangers who pay the account after each refusal do not bury the refusals", () => {
  const pools = failing(poolV2Hash)
  return Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(LendingSupply)
    const given = { ...held.request, decisions: answersTo(held.plan) }
    const stroop = Operation.payment({ destination: held.request.source, asset: Asset.native(), amount: "0.0000001" })
    const buried = Effect.gen(function*() {
      const transaction = yield* offered(given)
      pools.fail("submit", 1, 1)
      assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(transaction, held.source) })).code, "transaction_failed")
      for (let count = 0; count < 12; count++) yield* on(perform("a stranger pays a stroop", { as: held.lender, operations: [stroop] }))
      yield* laterLedger
    })
    yield* buried
    yield* buried
    assert.deepInclude(positionIn(yield* plan(given)), { required: true, answered: false, default: null })
    assert.strictEqual((yield* refusal("next", given)).code, "needs_decisions")
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
})

import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, compareValues, u64, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { asPoolConfig, poolConfigVal } from "../../../src/sandbox/contracts/lend1/PoolConfig.ts"
import { auctionKey, poolInstanceKeys, positionsKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { noPositions, positionsVal } from "../../../src/sandbox/contracts/lend1/Positions.ts"
import { priceKey, priceTimeKey, priceVal } from "../../../src/sandbox/contracts/lend1/PriceOracle.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { asked, laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

const { backstop, oracle, pool } = lendingContracts
const FAR = 70_000_000

const amended = (change: (state: LedgerState) => LedgerState) => Effect.flatMap(Network, ({ amend }) => amend(change))

const put =
  (contract: xdr.ScAddress, key: xdr.ScVal, val: xdr.ScVal, durability: "persistent" | "temporary") => (state: LedgerState): LedgerState =>
    state.set(dataEntries(contract, [key, val], durability, FAR))

const withStatus = (status: number) => (state: LedgerState): LedgerState => {
  const data = state.get(keyOfInstance(pool))?.data
  assert(data?.type === "contractData" && data.contractData.val.type === "scvContractInstance")
  const storage = (data.contractData.val.instance.storage ?? []).map(({ key, val }) =>
    [key, compareValues(key, poolInstanceKeys.config) === 0 ? poolConfigVal({ ...asPoolConfig(val), status }) : val] as const
  )
  return state.set(contractEntries(pool, poolV2Hash, storage, FAR))
}

/** The message of the only blocker; the builder returns it too. */
const blocked = (held: { readonly request: { readonly source: string; readonly destination: string } }) =>
  Effect.gen(function*() {
    const planned = yield* plan(held.request)
    const [blocker, ...more] = planned.blockers
    assert.deepStrictEqual([planned.status, blocker?.reason, more], ["needs_decisions", "position_locked", []])
    const refused = yield* refusal("next", { ...held.request, decisions: answersTo(planned) })
    assert.deepStrictEqual([refused.status, refused.code, refused.details["protocol"]], [422, "position_exit_unavailable", "lend_1"])
    assert.isTrue(blocker?.message.startsWith(String(refused.details["reason"])))
    return String(refused.details["reason"])
  })

it.scopedLive.runIf(isThorough)("a liquidation that is under way refuses everything until it is over", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(LendingDebt)
    assert.strictEqual(held.plan.status, "needs_decisions")
    const key = auctionKey(0, addressOf(held.source.publicKey()))
    yield* on(amended(put(pool, key, voidVal, "temporary")))
    yield* laterLedger
    assert.match(yield* blocked(held), /pool is liquidating this account/)
    // An expired temporary entry is gone.
    yield* on(amended((state) => state.set(dataEntries(pool, [key, voidVal], "temporary", state.header.ledgerSeq - 1))))
    yield* laterLedger
    assert.isNull((yield* pursued(held)).unlocksAt)
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("neither a frozen pool nor prices that are out of date keep an account that repays everything", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(LendingDebt)
    yield* on(amended((state) => {
      const stale = state.header.closeTime - 3n * 86_400n
      const prices = [1_000_000n, 10_000_000n, 11_000_000n].map((price, index) =>
        put(oracle, priceKey(index, stale), priceVal(price), "temporary")
      )
      return [withStatus(5), put(oracle, priceTimeKey, u64(stale), "temporary"), ...prices].reduce(
        (changed, change) => change(changed),
        state
      )
    }))
    yield* laterLedger
    assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("what is lent out cannot be withdrawn before somebody repays", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(LendingSupply)
    yield* on(submitRequests("the lender takes out what is left", held.lender, ["withdrawCollateral", held.usdc, 30_100n * lumen]))
    yield* laterLedger
    assert.match(yield* blocked(held), /lent out that the pool cannot pay it back now/)
    yield* on(submitRequests("the lender repays", held.lender, ["repay", held.usdc, 10_000n * lumen]))
    yield* laterLedger
    assert.isNull((yield* pursued(held)).unlocksAt)
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("a backstop that covers a bad debt pays nothing until it is settled", () =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const held = yield* asked(LendingBackstop)
    const { unlocksAt } = yield* pursued(held)
    const { state } = yield* sandbox.snapshot
    yield* sandbox.closeLedger({ advanceSeconds: Date.parse(unlocksAt ?? "") / 1000 - Number(state.header.closeTime) })
    const owes = { ...noPositions, liabilities: new Map([[0, 1_000n * lumen]]) }
    yield* on(amended(put(pool, positionsKey(backstop), positionsVal(owes), "persistent")))
    yield* laterLedger
    assert.match(yield* blocked(held), /bad debt of this pool/)
    yield* on(amended(put(pool, positionsKey(backstop), positionsVal(noPositions), "persistent")))
    yield* laterLedger
    assert.isNull((yield* pursued(held)).unlocksAt)
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, compareValues, u64 } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { poolV1Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { asPoolConfig, poolConfigVal } from "../../../src/sandbox/contracts/lend1/PoolConfig.ts"
import { poolInstanceKeys, reserveConfigKey, reserveDataKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { poolV1Traits, poolV2Traits } from "../../../src/sandbox/contracts/lend1/PoolTraits.ts"
import { priceKey, priceTimeKey, priceVal } from "../../../src/sandbox/contracts/lend1/PriceOracle.ts"
import { asReserveConfig, asReserveData, reserveConfigVal, reserveDataVal } from "../../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import type { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import type { ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import { keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { advanced, asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, positionIn } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { SameAsset } from "./support/SameAsset.ts"

const { oracle, pool } = lendingContracts
const FAR = 70_000_000

const valueIn = (state: LedgerState, key: xdr.LedgerKey): xdr.ScVal => {
  const data = state.get(key)?.data
  return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
}

/** The same pool with the code of the first version, with rates in its scales. */
const asFirstVersion = (assets: ReadonlyArray<xdr.ScAddress>) => (state: LedgerState): LedgerState => {
  const instance = valueIn(state, keyOfInstance(pool))
  if (instance.type !== "scvContractInstance") return assert.fail("no instance")
  const storage = (instance.instance.storage ?? []).map(({ key, val }) =>
    [
      key,
      compareValues(key, poolInstanceKeys.config) === 0 ? poolConfigVal({ ...asPoolConfig(val), minCollateral: undefined }) : val
    ] as const
  )
  const kept = (key: xdr.ScVal): xdr.ScVal => valueIn(state, keyOfContractData(pool, key, "persistent"))
  const rate = (value: bigint): bigint => (value * poolV1Traits.rateScale) / poolV2Traits.rateScale
  return state.set([
    ...contractEntries(pool, poolV1Hash, storage, FAR),
    ...assets.flatMap((asset) => {
      const data = asReserveData(kept(reserveDataKey(asset)))
      const coarse = {
        ...data,
        bRate: rate(data.bRate),
        dRate: rate(data.dRate),
        irMod: (data.irMod * poolV1Traits.modifierScale) / poolV2Traits.modifierScale
      }
      return [
        ...dataEntries(
          pool,
          [reserveConfigKey(asset), reserveConfigVal({ ...asReserveConfig(kept(reserveConfigKey(asset))), cap: undefined })],
          "persistent",
          FAR
        ),
        ...dataEntries(pool, [reserveDataKey(asset), reserveDataVal(coarse)], "persistent", FAR)
      ]
    })
  ])
}

const inFirstVersion = (scenario: Effect.Effect<Effect.Effect.Success<typeof LendingNewcomer>, ScenarioFailed, Network>) =>
  Effect.gen(function*() {
    const scene = yield* scenario
    const { amend, passphrase } = yield* Network
    yield* amend(asFirstVersion(scene.assets.reserves.map((asset) => addressOf(asset.contractId(passphrase)))))
    return scene
  })

it.scopedLive("a debt in a pool of the first version is repaid and its collateral comes back", () =>
  Effect.gen(function*() {
    const held = yield* asked(inFirstVersion(LendingDebt))
    assert.deepStrictEqual(held.plan.blockers, [])
    assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("collateral in the asset of the debt is taken out first, where what is left is safe by prices that are fresh", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(inFirstVersion(SameAsset(80n, "0")))
    assert.deepStrictEqual(held.plan.blockers, [])
    const prices = (time: (now: bigint) => bigint) =>
      Effect.flatMap(Network, ({ amend }) =>
        amend((state) => {
          const at = time(state.header.closeTime)
          return state.set([
            ...dataEntries(oracle, [priceTimeKey, u64(at)], "temporary", FAR),
            ...[1_000_000n, 10_000_000n, 11_000_000n].flatMap((price, index) =>
              dataEntries(oracle, [priceKey(index, at), priceVal(price)], "temporary", FAR)
            )
          ])
        }))
    yield* on(prices((now) => now - 2n * 86_400n))
    const stale = yield* plan(held.request)
    assert.deepStrictEqual([stale.blockers, positionIn(stale).required], [[], true])
    yield* on(prices((now) => now))
    const first = yield* advanced(held)
    const [call] = first._tag === "Offered" ? first.offer.intent.operations : []
    assert.deepStrictEqual(call?.type === "invoke_contract" ? [call.function, call.subInvocations] : [], ["submit", []])
    assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)(
  "collateral that the debt cannot spare does not pay it: the refusal says so with figures, and what lacks can be bought",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(inFirstVersion(SameAsset(80n, "0", 0n)))
      assert.match(
        positionIn(held.plan).options[0]?.note ?? "",
        /^The debt needs 50\.0000\d+ of EURC:\w+, and 0\.0000000 can be spent\. The (79\.99\d+|80\.00\d+) of it that are collateral for the debt can be withdrawn only afterwards\./
      )
      const refused = yield* refusal("next", {
        ...held.request,
        decisions: answersTo(held.plan).filter(({ id }) => !id.startsWith("position:"))
      })
      assert.deepStrictEqual([refused.code, refused.details["missing"]], ["needs_decisions", [positionIn(held.plan).id]])
      assert.deepStrictEqual((yield* pursued(held, "buy_repay_asset_then_exit")).covered, [
        "EXIT_POSITIONS",
        "EXIT_POSITIONS",
        "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
      ])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(lendingService))
)

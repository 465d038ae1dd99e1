import { assert, it } from "@effect/vitest"
import type { Asset } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, mapOf, u128, u64 } from "../../../src/ledger/soroban/Values.ts"
import { rewardHistoryKey, totalStakedHistoryKey } from "../../../src/sandbox/contracts/Amm3.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { StakedWithoutPho } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { advanced, asked, laterLedger, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { positionIn } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { callsIn } from "./support/CalledIn.ts"

const { five } = stakedPoolsContracts

const UNIT = 10_000_000n

/** The stake now receives so much of an asset for 500,500 bonded shares. */
const paidIn = (asset: Asset, units: bigint) =>
  Effect.gen(function*() {
    const { amend, passphrase } = yield* Network
    yield* amend((state) => {
      const now = u64(state.header.closeTime)
      return state.set([
        ...dataEntries(
          five.stake,
          [rewardHistoryKey(addressOf(asset.contractId(passphrase))), mapOf([[now, u128(units)]])],
          "persistent",
          70_000_000
        ),
        ...dataEntries(five.stake, [totalStakedHistoryKey, mapOf([[now, u128(500_500n * UNIT)]])], "persistent", 70_000_000)
      ])
    })
  })

const leaving = ["unbond", "unbond", "withdraw_liquidity"]

/** A staker who has just claimed, and to whose stake this was paid in since; what is planned then. */
const claimedThenPaid = (units: bigint) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(StakedWithoutPho)
    assert.deepStrictEqual(callsIn(held.plan), ["withdraw_rewards", ...leaving])
    for (const _ of ["line", "claim"]) yield* advanced(held)
    yield* on(paidIn(held.pho, units))
    yield* laterLedger
    return { held, soon: yield* plan(held.request) }
  })

it.scopedLive(
  "a distribution that comes in between a claim and the next step is claimed as well, and the close ends",
  () =>
    Effect.gen(function*() {
      const { held, soon } = yield* claimedThenPaid(10_000n * UNIT)
      assert.deepStrictEqual(callsIn(soon), ["withdraw_rewards", ...leaving])
      assert.isEmpty(soon.warnings.filter(({ code }) => code === "rewards_too_small"))
      yield* advanced(held)
      assert.deepStrictEqual(callsIn(yield* plan(held.request)), leaving)
      assert.isNull((yield* pursued(held)).unlocksAt)
    }).pipe(Effect.provide(serviceOver(["amm_3"]))),
  60_000
)

it.scopedLive("one of less than a lumen is left behind, so that no stream of them delays the close", () =>
  Effect.gen(function*() {
    const { held, soon } = yield* claimedThenPaid(10n * UNIT)
    assert.deepStrictEqual(callsIn(soon), leaving)
    const note = positionIn(soon).options.find(({ id }) => id === "exit")?.note ?? ""
    assert.match(
      note,
      /^Given up: rewards of 0\.\d{7} PHO:\w+ \(the claim costs more than it brings\)\. The account gets back everything else /
    )
    assert.isNotEmpty(soon.warnings.filter(({ code }) => code === "rewards_too_small"))
    assert.isNull((yield* pursued(held)).unlocksAt)
  }).pipe(Effect.provide(serviceOver(["amm_3"]))), 60_000)

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

/** The stake now receives 10,000 of an asset for 500,500 bonded shares. */
const paidIn = (asset: Asset) =>
  Effect.gen(function*() {
    const { amend, passphrase } = yield* Network
    yield* amend((state) => {
      const now = u64(state.header.closeTime)
      return state.set([
        ...dataEntries(
          five.stake,
          [rewardHistoryKey(addressOf(asset.contractId(passphrase))), mapOf([[now, u128(10_000n * UNIT)]])],
          "persistent",
          70_000_000
        ),
        ...dataEntries(five.stake, [totalStakedHistoryKey, mapOf([[now, u128(500_500n * UNIT)]])], "persistent", 70_000_000)
      ])
    })
  })

it.scopedLive(
  "what comes in between a claim and the next step is left behind, so that the close ends, and claimed again an hour later",
  () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const held = yield* asked(StakedWithoutPho)
      const leaving = ["unbond", "unbond", "withdraw_liquidity"]
      assert.deepStrictEqual(callsIn(held.plan), ["withdraw_rewards", ...leaving])
      for (const _ of ["line", "claim"]) yield* advanced(held)
      yield* on(paidIn(held.pho))
      yield* laterLedger
      const soon = yield* plan(held.request)
      assert.deepStrictEqual(callsIn(soon), leaving)
      const note = positionIn(soon).options.find(({ id }) => id === "exit")?.note ?? ""
      assert.match(
        note,
        /^Given up: rewards of \d\.\d{7} PHO:\w+ \(arrived since the account's last claim\)\. The account gets back everything else /
      )
      assert.isNotEmpty(soon.warnings.filter(({ code }) => code === "rewards_too_small"))
      for (let ledger = 0; ledger < 720; ledger++) yield* sandbox.closeLedger({ advanceSeconds: 5 })
      assert.deepStrictEqual(callsIn(yield* plan(held.request)), ["withdraw_rewards", ...leaving])
      assert.isNull((yield* pursued(held)).unlocksAt)
    }).pipe(Effect.provide(serviceOver(["amm_3"]))),
  60_000
)

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Planner } from "../../../src/close/answer/Planner.ts"
import { symbol, variant } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { priceStorage } from "../../../src/sandbox/contracts/vaults/CollateralOracle.ts"
import { Latency } from "../../../src/sandbox/faults/Connection.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { vaultsContracts } from "../../../src/sandbox/scenarios/VaultsContracts.ts"
import { deployed } from "../../../src/serving/EmbeddedSandbox.ts"
import { timed } from "../../account/support/World.ts"
import { inMemory, onTestnet } from "../../deep/support/InMemory.ts"
import { asked, pursued, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import type { Answer } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { VaultsCrowded } from "./support/ManyVaults.ts"
import { vaultDecision } from "./support/Vaults.ts"

/** Milliseconds until each answer of the contract RPC. */
const away = 250

const planOf = (request: { readonly source: string; readonly destination: string }, decisions: ReadonlyArray<Answer> = []) =>
  Effect.gen(function*() {
    const { elapsed, exit } = yield* timed(onTestnet(Effect.flatMap(Planner, (planner) => planner.plan({ ...request, decisions }))), away)
    return { elapsed, planned: yield* exit }
  })

/** The oracle has no price any more, and without one the contract lists no vaults. */
const silentOracle = Effect.flatMap(
  Network,
  ({ amend }) =>
    amend((state) =>
      state.set(
        priceStorage(variant("Other", symbol("USD")), 1n, state.header.closeTime).flatMap(([key, value, durability]) =>
          dataEntries(vaultsContracts.oracle, [key, value], durability, state.header.ledgerSeq - 1)
        )
      )
    )
)

/** An account with a vault above those of this many strangers, on a network with high latency. */
const farAway = (strangers: number) =>
  Effect.gen(function*() {
    const { destination, source } = yield* VaultsCrowded(strangers)
    const { closeLedger, faults } = yield* Network
    yield* closeLedger({ advanceSeconds: 5 })
    yield* faults.set({ fault: new Latency({ millis: away }), rpc: "*" })
    return { source: source.publicKey(), destination: destination.publicKey() }
  })

const vaultsInMemory = inMemory(undefined, {}, deployed("cdp_1"))

const usdIn = ({ decisionPoints }: Effect.Effect.Success<ReturnType<typeof planOf>>["planned"]) =>
  decisionPoints.find(({ id }) => id === vaultDecision("USD")) ?? assert.fail("it is not asked about")

describe("a vault above those of 220 strangers", () => {
  it.scopedLive.runIf(isThorough)("is left like any other", () =>
    Effect.gen(function*() {
      const held = yield* asked(VaultsCrowded(220))
      assert.deepStrictEqual(held.plan.blockers, [])
      assert.deepStrictEqual((yield* pursued(held)).covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "REMOVE_TRUSTLINES+MERGE"])
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(vaultsService)))

  it.effect("is found in few trips: by pages, confirmed by one entry", () =>
    Effect.gen(function*() {
      const request = yield* farAway(220)
      const { elapsed, planned } = yield* planOf(request)
      assert.deepStrictEqual(planned.blockers, [])
      assert.isTrue(planned.steps.some(({ affectedEntry }) => affectedEntry === vaultDecision("USD")))
      assert.isBelow(elapsed, 24 * away)
    }).pipe(Effect.provide(vaultsInMemory)))

  it.effect.runIf(isThorough)(
    "is looked for a while where the contract lists nothing, and can be given up without that",
    () =>
      Effect.gen(function*() {
        const request = yield* farAway(220)
        yield* silentOracle
        const { elapsed, planned } = yield* planOf(request)
        assert.isBelow(elapsed, 25_000)
        assert.deepStrictEqual(planned.blockers.map(({ reason, subject }) => [reason, subject]), [[
          "position_locked",
          vaultDecision("USD")
        ]])
        const option = usdIn(planned).options.find(({ id }) => id === "acknowledge_forfeit") ?? assert.fail("it cannot be given up")
        const given = yield* planOf(request, [{
          id: vaultDecision("USD"),
          choice: option.id,
          params: { maxAmount: option.params?.maxAmount ?? "" }
        }])
        assert.deepStrictEqual(given.planned.blockers, [])
        assert.isTrue(usdIn(given.planned).answered)
        assert.isBelow(given.elapsed, 24 * away)
      }).pipe(Effect.provide(vaultsInMemory))
  )
})

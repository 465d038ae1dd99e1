import { assert } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, type Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { AccountState } from "../../../src/domain/Account.ts"
import type { HealthReport } from "../../../src/domain/Health.ts"
import { addressOf, i128, string, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { amm3ShareTokenHash, amm3ShareTokenTraits, poolListKey } from "../../../src/sandbox/contracts/Amm3.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { liveCode } from "../../../src/sandbox/contracts/LiveCode.ts"
import { tokenBalanceKey, tokenStorage } from "../../../src/sandbox/contracts/Token.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { pairsContracts } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsNewcomer } from "../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { provideAssets } from "../../../src/sandbox/scenarios/PairsShares.ts"
import type { ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import { StakedPools, StakedWithoutPho } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { poolNamed, stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { asked, laterLedger, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { layer } from "../../support/Layered.ts"
import { upgraded } from "../../support/scenarios/Upgrade.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { plan, type PlanBody } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { callsIn } from "./support/CalledIn.ts"

const LONG = { excludeTestServices: true, timeout: 90_000 }

const { factory, five } = stakedPoolsContracts

/** Code with only its hash known. */
const unknownCode = (): string => randomBytes(32).toString("hex")

const accountRead = (account: Keypair) =>
  Effect.flatMap(
    Service,
    ({ call }) =>
      Effect.map(call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${account.publicKey()}`), ({ body }) => body)
  )

const known = (warnings: ReadonlyArray<{ readonly code?: string; readonly subject?: string }>) =>
  warnings.filter(({ code }) => code === "code_known_by_interface").map(({ subject }) => subject)

const reasons = ({ blockers }: PlanBody) => blockers.map(({ reason, subject }) => [reason, subject])

const written = (contract: xdr.ScAddress, key: xdr.ScVal, value: xdr.ScVal) =>
  Effect.flatMap(
    Network,
    ({ amend }) => amend((state) => state.set(dataEntries(contract, [key, value], "persistent", state.header.ledgerSeq + 100_000)))
  )

layer(serviceOver(["amm_3"]), LONG)("a factory of amm_3 that was upgraded to code that no file lists", (it) => {
  it.effect("has its pools read and left all the same, with a warning in the account read and the plan", () =>
    Effect.gen(function*() {
      const held = yield* asked(StakedPools.pipe(Effect.tap(() => upgraded(factory, unknownCode()))))
      assert.deepStrictEqual(reasons(held.plan), [])
      assert.deepStrictEqual(known(held.plan.warnings), [strkeyOf(factory)])
      const state = yield* accountRead(held.source)
      assert.deepStrictEqual(known(state.defiPositionsWarnings), [strkeyOf(factory)])
      assert.deepStrictEqual(state.defiPositionsWarnings.length, 1)
      const { body } = yield* (yield* Service).call<HealthReport>("GET", "/health/deep")
      const told = `${strkeyOf(factory)} of amm_3 runs code that the contracts file does not list`
      assert.deepStrictEqual(body.details["coverage_testnet"], { status: "up", message: told })
      yield* pursued(held)
      assert.isNull(yield* accountOf(held.source))
    }))
})

layer(Layer.provideMerge(serviceOver(["amm_3"]), jumping), LONG)("a factory of amm_3 whose list does not decode", (it) => {
  it.effect("is asked about", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(StakedPoolsMarket)
      yield* on(written(factory, poolListKey, i128(1n)))
      const held = yield* asked(FundedPair)
      assert.deepStrictEqual(reasons(held.plan), [["positions_unread", "amm_3"]])
    }))
})

layer(serviceOver(["amm_3"]), LONG)("a stake that was replaced by code that does nothing", (it) => {
  it.effect("is given up by name, and the free shares beside it come back", () =>
    Effect.gen(function*() {
      const held = yield* asked(StakedWithoutPho.pipe(Effect.tap(() => upgraded(five.stake, unknownCode()))))
      const id = `position:amm_3:${strkeyOf(five.pool)}:shares`
      assert.deepStrictEqual(reasons(held.plan), [["position_unrecognized", strkeyOf(five.stake)]])
      assert.deepStrictEqual(pointOf(held.plan, id).options.map((option) => option.id), ["exit"])
      assert.deepStrictEqual(pointOf(held.plan, "positions_unread:amm_3").options[0]?.params, {
        contracts: [strkeyOf(five.stake)],
        gap: null
      })
      const answered = yield* plan({ ...held.request, decisions: answersTo(held.plan) })
      assert.deepStrictEqual(callsIn(answered), ["withdraw_liquidity"])
      assert.deepStrictEqual((yield* pursued(held)).covered[0], "EXIT_POSITIONS")
      assert.isNull(yield* accountOf(held.source))
    }))
})

const OLD_SHARES_POOL = "13b158655e40396957537bf1c528c6542b315930c1c9e0df640f57293c8af2ca"

layer(serviceOver(["amm_3"]), LONG)("a pool that pays for shares of a token it had before", (it) => {
  it.effect("is never left by this service: who holds its old or new shares is asked, and nobody else is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const old = poolNamed("old").shareToken
      const oldToken = Effect.flatMap(Network, ({ amend }) =>
        amend((state) =>
          state.set(
            contractEntries(
              old,
              amm3ShareTokenHash,
              tokenStorage(amm3ShareTokenTraits, { admin: five.pool, decimals: 7, name: string("old LP"), symbol: string("LP") }),
              state.header.ledgerSeq + 100_000
            )
          )
        ))
      const held = yield* asked(
        StakedWithoutPho.pipe(
          Effect.tap(() => upgraded(five.pool, OLD_SHARES_POOL)),
          Effect.tap(() => oldToken),
          Effect.tap(() => written(five.pool, xdr.ScVal.scvSymbol("OLDLP"), xdr.ScVal.scvAddress(old)))
        )
      )
      assert.deepStrictEqual(reasons(held.plan), [["position_unrecognized", strkeyOf(five.pool)]])
      const [holder, other] = [yield* asked(FundedPair), yield* asked(FundedPair)]
      assert.deepStrictEqual([holder, other].map((one) => reasons(one.plan)), [[], []])
      yield* on(written(old, tokenBalanceKey(addressOf(holder.source.publicKey())), i128(5n)))
      yield* laterLedger
      assert.deepStrictEqual(reasons(yield* plan(holder.request)), [["position_unrecognized", strkeyOf(five.pool)]])
      assert.deepStrictEqual(reasons(yield* plan(other.request)), [])
    }))
})

const { concentrated, constantProduct, stable } = amm1ContractsAt

const holding = <Scene extends { readonly source: Keypair; readonly destination: Keypair }>(
  scenario: Effect.Effect<Scene, ScenarioFailed, Network>,
  pool: xdr.ScAddress,
  code: string
) => asked(Effect.tap(scenario, () => upgraded(pool, code)))

const LIVE_POOLS = [
  ["amm_3", "that took five arguments before", five.pool, holding(StakedWithoutPho, five.pool, liveCode.sixArgumentPool)],
  ["amm_1", "of constant product", constantProduct, holding(Amm1Positions, constantProduct, liveCode.constantProductPool)],
  ["amm_1", "that are stable", stable, holding(Amm1Positions, stable, liveCode.stablePool)],
  ["amm_1", "that are concentrated", concentrated, holding(Amm1Positions, concentrated, liveCode.concentratedPool)]
] as const

for (const [protocol, what, pool, scene] of firstOf(1, LIVE_POOLS)) {
  layer(serviceOver([protocol]), LONG)(`a pool with the code of live pools of ${protocol} ${what}`, (it) => {
    it.effect("is left without a question or a warning, and pays what was foreseen", () =>
      Effect.gen(function*() {
        const held = yield* scene
        assert.deepStrictEqual([reasons(held.plan), known(held.plan.warnings)], [[], []])
        const point = held.plan.decisionPoints.find(({ id }) => id.includes(strkeyOf(pool)))
        assert.deepInclude(point, { required: false, default: "exit" })
        const before = yield* lumensOf(held.destination)
        yield* pursued(held)
        assert.isNull(yield* accountOf(held.source))
        const [received, foreseen] = [(yield* lumensOf(held.destination)) - before, held.plan.estimate.receivedLumens ?? "none"]
        assert.isTrue(received * 100n >= BigInt(foreseen.replace(".", "")) * 99n, `${received} of ${foreseen}`)
      }))
  })
}

layer(serviceOver(["amm_1"]), LONG)("a router of amm_1 that was upgraded to code that no file lists and that declares nothing", (it) => {
  it.effect.runIf(isThorough)("has its pools read and left all the same, with a warning", () =>
    Effect.gen(function*() {
      const held = yield* asked(Amm1Positions.pipe(Effect.tap(() => upgraded(amm1ContractsAt.router, unknownCode()))))
      assert.deepStrictEqual(reasons(held.plan), [])
      assert.deepStrictEqual(known(held.plan.warnings), [strkeyOf(amm1ContractsAt.router)])
      yield* pursued(held)
      assert.isNull(yield* accountOf(held.source))
    }))
})

layer(serviceOver(["amm_2"]), LONG)("a factory of amm_2 that was upgraded to code that no file lists", (it) => {
  it.effect("has its pairs read and left all the same, with a warning", () =>
    Effect.gen(function*() {
      const held = yield* asked(
        PairsNewcomer.pipe(Effect.tap(provideAssets), Effect.tap(() => upgraded(pairsContracts.factory, unknownCode())))
      )
      assert.deepStrictEqual(reasons(held.plan), [])
      assert.deepStrictEqual(known(held.plan.warnings), [strkeyOf(pairsContracts.factory)])
      const ids = held.plan.decisionPoints.filter(({ type }) => type === "position").map(({ id }) => id)
      assert.lengthOf(ids, 2)
    }))
})

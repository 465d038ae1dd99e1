import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, MetricState, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import type { HealthReport } from "../../src/domain/Health.ts"
import { modelProtocol } from "../../src/ledger/ModelProtocol.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { Networks } from "../../src/Networks.ts"
import { UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { StakedPools } from "../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import * as UpgradeAlarm from "../../src/serving/UpgradeAlarm.ts"
import { servingOf } from "../sandbox/contracts/ProtocolsServed.ts"
import { upgraded } from "../support/scenarios/Upgrade.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { startTestService } from "../support/TestService.ts"

const { factory } = stakedPoolsContracts

describe("a source whose answers have XDR that no version knows", () => {
  it.scopedLive("is told of by the health report, and is counted", () =>
    Effect.gen(function*() {
      const { call, on, sandbox } = yield* startTestService()
      const { source } = yield* on(FundedPair)
      const health = Effect.map(call<HealthReport>("GET", "/health/deep"), ({ body }) => body.details["rpc_testnet"])
      assert.deepStrictEqual(yield* health, { status: "up" })
      yield* sandbox.faults.set({ fault: new UnknownArms({ in: ["accounts"] }) })
      yield* call("GET", `/testnet/account/${source.publicKey()}`)
      yield* Effect.repeat(health, { until: (told) => told?.message !== undefined })
      assert.strictEqual(
        (yield* health)?.message,
        "1 endpoint answered getLedgerEntries with XDR that this version does not know"
      )
      const counted = (yield* Metric.snapshot).filter(({ metricKey: { name } }) => name === "closeout_newer_xdr_total")
      assert.isTrue(counted.some(({ metricState }) => MetricState.isCounterState(metricState) && Number(metricState.count) > 0))
    }))
})

/** The counted signs of a network, by kind. */
const counted = (network: string) =>
  Effect.map(Metric.snapshot, (all) =>
    Object.fromEntries(all.flatMap(({ metricKey: { name, tags }, metricState }) => {
      const label = (key: string) => tags.find((tag) => tag.key === key)?.value ?? ""
      return name === "closeout_upgrade_signs" && label("network") === network && MetricState.isGaugeState(metricState)
        ? [[label("kind"), Number(metricState.value)] as const]
        : []
    })))

describe("a network that has moved on in its protocol, its XDR and the code of a listed contract", () => {
  it.scopedLive("is reported by health, logged once a sign, and counted by kind", () =>
    Effect.gen(function*() {
      const log = serviceLog()
      const ahead = { protocolVersion: modelProtocol + 1 }
      const { call, networks, on, sandbox } = yield* startTestService({}, servingOf(["amm_3"], ahead), log.layer)
      const { source } = yield* on(StakedPools.pipe(Effect.tap(() => upgraded(factory, randomBytes(32).toString("hex")))))
      const read = call("GET", `/testnet/account/${source.publicKey()}`)
      yield* read
      yield* sandbox.faults.set({ fault: new UnknownArms({ in: ["accounts"] }) })
      yield* read
      yield* sandbox.faults.clear()

      const { body: { details } } = yield* call<HealthReport>("GET", "/health/deep")
      const told = {
        protocol: `ledger protocol ${modelProtocol + 1} is newer than the model (${modelProtocol})`,
        xdr: "1 endpoint answered getLedgerEntries with XDR that this version does not know",
        code: `${strkeyOf(factory)} of amm_3 runs code that the contracts file does not list`
      }
      assert.include(details["rpc_testnet"]?.message, told.protocol)
      assert.include(details["rpc_testnet"]?.message, told.xdr)
      assert.strictEqual(details["coverage_testnet"]?.message, told.code)

      const alarm = UpgradeAlarm.layer.pipe(Layer.provide([Layer.succeed(Networks, networks), log.layer]))
      yield* Layer.build(alarm)
      const logged = Effect.sync(() => log.lines.filter(({ text }) => text.includes(": update this service, or its contracts file")))
      const lines = yield* Effect.repeat(Effect.delay(logged, "20 millis"), { until: ({ length }) => length >= 3 })
      const found = lines.map(({ fields, text }) => [fields["kind"], text.split(": update")[0]])
      assert.deepStrictEqual(Object.fromEntries(found), told)
      assert.deepInclude(yield* counted("testnet"), { protocol: 1, xdr: 1, code: 1 })
    }), 60_000)
})

describe("the alarm", () => {
  it.scoped("counts each sign of a network by its kind, and goes on counting while the network does not answer", () =>
    Effect.gen(function*() {
      let looks = 0
      const networks = Layer.succeed(
        Networks,
        Networks.of({
          enabled: new Map(),
          on: () => Effect.die as never,
          health: Effect.succeed({}),
          upgradeSigns: Effect.suspend(() =>
            Effect.succeed(
              looks++ > 0
                ? new Map()
                : new Map([["mainnet", [{ kind: "code", message: "one contract changed" }, {
                  kind: "code",
                  message: "another contract changed"
                }]]])
            )
          )
        })
      )
      yield* Layer.build(Layer.provide(UpgradeAlarm.layer, networks))
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(looks, 2)
      const signs = (yield* Metric.snapshot).flatMap(({ metricKey: { name, tags }, metricState }) =>
        name === "closeout_upgrade_signs" && MetricState.isGaugeState(metricState)
          ? [[tags.map(({ value }) => value).toSorted().join(" "), metricState.value] as const]
          : []
      )
      assert.deepInclude(Object.fromEntries(signs), { "code mainnet": 2, "mainnet protocol": 0, "mainnet xdr": 0 })
    }))
})

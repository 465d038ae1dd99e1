import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, MetricState, TestClock } from "effect"
import type { HealthReport } from "../../src/domain/Health.ts"
import { Networks } from "../../src/Networks.ts"
import { UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import * as UpgradeAlarm from "../../src/serving/UpgradeAlarm.ts"
import { startTestService } from "../support/TestService.ts"

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
                : new Map([["mainnet", [{ kind: "code", told: "one contract changed" }, {
                  kind: "code",
                  told: "another contract changed"
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

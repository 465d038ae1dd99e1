import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import type { CloseInterval } from "../../src/chain/CloseInterval.ts"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import type { SurveyedEndpoint } from "../../src/chain/EndpointTip.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { probes } from "../../src/chain/Probes.ts"
import type { ComponentHealth } from "../../src/domain/Health.ts"

const here = (ledger: number, closeTime = 1000n, protocolVersion: number | null = 30): SurveyedEndpoint => ({
  _tag: "Here",
  tip: { passphrase: "ours", ledger, closeTime, protocolVersion }
})
const foreign: SurveyedEndpoint = { _tag: "Foreign" }
const silent: SurveyedEndpoint = { _tag: "Silent", throttled: false }
const throttled: SurveyedEndpoint = { _tag: "Silent", throttled: true }

/** Builds accept headers within 60 seconds of second 1005. */
const rejectedAge = (closeTime: bigint) => {
  const seconds = Number(1005n - closeTime)
  return Effect.succeed(Math.abs(seconds) > 60 ? seconds : null)
}

/** The health of sources with these endpoints, at second 1005. */
const health = (
  rpc: ReadonlyArray<SurveyedEndpoint>,
  api: ReadonlyArray<SurveyedEndpoint>,
  { closeInterval = null, closesOnDemand = false }: { readonly closeInterval?: CloseInterval; readonly closesOnDemand?: boolean } = {}
) =>
  TestClock.setTime(1_005_000).pipe(
    Effect.zipRight(probes({ closesOnDemand, modelProtocol: 30, rejectedAge })),
    Effect.provide(Layer.mergeAll(
      Layer.mock(ContractRpc, {
        latestLedger: Effect.never,
        closeInterval: Effect.succeed(closeInterval),
        feeStats: Effect.never,
        origins: [],
        each: [],
        endpoints: Effect.succeed([]),
        newerXdr: Effect.succeed(null),
        survey: Effect.succeed(rpc)
      }),
      Layer.mock(LedgerApi, {
        absent: null,
        latestLedger: Effect.never,
        newerXdr: Effect.succeed(null),
        endpoints: Effect.succeed([]),
        survey: Effect.succeed(api)
      })
    ))
  )

const up: ComponentHealth = { status: "up" }

describe("sources", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      sources: readonly [rpc: ReadonlyArray<SurveyedEndpoint>, api: ReadonlyArray<SurveyedEndpoint>],
      found: { readonly rpc: ComponentHealth; readonly ledgerApi: ComponentHealth }
    ]
  > = [
    ["that are level are up", [[here(100)], [here(100)]], { rpc: up, ledgerApi: up }],
    ["of which the ledger API is a few ledgers behind are up", [[here(100)], [here(95)]], { rpc: up, ledgerApi: up }],
    ["of which the ledger API lags are up with a message", [[here(100)], [here(94)]], {
      rpc: up,
      ledgerApi: { status: "up", message: "6 ledgers behind the contract RPC, so no merge is built" }
    }],
    ["of which the ledger API is minutes behind are down on that side", [[here(100)], [here(49)]], {
      rpc: up,
      ledgerApi: { status: "down", message: "51 ledgers behind the contract RPC, so no merge is built" }
    }],
    ["of a protocol newer than the model are up with a message", [[here(100, 1000n, 31)], [here(100)]], {
      rpc: { status: "up", message: "ledger protocol 31 is newer than the model (30)" },
      ledgerApi: up
    }],
    ["whose newest ledger is old are up with a message", [[here(100, 974n)], [here(100)]], {
      rpc: { status: "up", message: "the newest ledger, 100, closed 31 seconds ago" },
      ledgerApi: up
    }],
    ["whose newest ledger is minutes old are down", [[here(100, 704n)], [here(100)]], {
      rpc: {
        status: "down",
        message: "the newest ledger, 100, closed 301 seconds ago, or this machine's clock is wrong, so nothing is built"
      },
      ledgerApi: up
    }],
    ["whose newest ledger is older than builds accept are up with a message", [[here(100, 944n)], [here(100)]], {
      rpc: {
        status: "up",
        message: "the newest ledger, 100, closed 61 seconds ago, or this machine's clock is wrong, so nothing is built"
      },
      ledgerApi: up
    }],
    ["whose newest ledger is ahead of the clock, as far as builds accept, are up", [[here(100, 1065n)], [here(100)]], {
      rpc: up,
      ledgerApi: up
    }],
    ["whose newest ledger is further ahead are up with a message", [[here(100, 1066n)], [here(100)]], {
      rpc: {
        status: "up",
        message: "the newest ledger, 100, closes 61 seconds from now, or this machine's clock is wrong, so nothing is built"
      },
      ledgerApi: up
    }],
    ["that serve another network are down", [[foreign], [foreign, foreign]], {
      rpc: { status: "down", message: "1 of 1 endpoint: another network than the configured one" },
      ledgerApi: { status: "down", message: "2 of 2 endpoints: another network than the configured one" }
    }],
    ["that do not answer are down", [[silent], [throttled]], {
      rpc: { status: "down", message: "1 of 1 endpoint: no response" },
      ledgerApi: { status: "down", message: "1 of 1 endpoint: rate limited" }
    }],
    ["of which one still serves the network from before its reset are up with a message", [[here(5_000_000, 0n), here(100)], [here(100)]], {
      rpc: { status: "up", message: "1 of 2 endpoints: a newest ledger far from this machine's clock" },
      ledgerApi: up
    }],
    [
      "with one good endpoint are up, with what is wrong with the others",
      [[silent, here(100), foreign, here(90)], [throttled, here(100)]],
      {
        rpc: {
          status: "up",
          message:
            "1 of 4 endpoints: another network than the configured one; 1 of 4 endpoints: no response; 1 of 4 endpoints: more than 5 ledgers behind"
        },
        ledgerApi: { status: "up", message: "1 of 2 endpoints: rate limited" }
      }
    ]
  ]
  for (const [name, [rpc, api], found] of cases) {
    it.effect(name, () => Effect.map(health(rpc, api), (seen) => assert.deepStrictEqual(seen, found)))
  }

  it.effect("that close a ledger every second may be 25 behind", () =>
    Effect.gen(function*() {
      const behind = (ledgers: number) =>
        Effect.map(health([here(1000)], [here(1000 - ledgers)], { closeInterval: 1 }), ({ ledgerApi }) => ledgerApi)
      assert.deepStrictEqual(yield* behind(25), up)
      assert.deepStrictEqual(yield* behind(26), { status: "up", message: "26 ledgers behind the contract RPC, so no merge is built" })
      assert.strictEqual((yield* behind(251)).status, "down")
    }))

  it.effect("that close ledgers on demand may have an old one, as far as builds accept it", () =>
    Effect.map(
      health([here(100, 960n)], [here(100)], { closesOnDemand: true }),
      (seen) => assert.deepStrictEqual(seen, { rpc: up, ledgerApi: up })
    ))
})

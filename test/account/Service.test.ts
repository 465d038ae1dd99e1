import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DestinationReport } from "../../src/domain/Destination.ts"
import { CutConnection } from "../../src/sandbox/faults/Connection.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { muxedOf } from "../close/support/Muxed.ts"
import { type ErrorBody, startTestService, withAccounts } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"

interface Component {
  readonly status: string
  readonly message?: string
}

interface Health {
  readonly status: string
  readonly details: Readonly<Record<string, Component>>
}

interface State {
  readonly trustlines: ReadonlyArray<object>
  readonly warnings: ReadonlyArray<{ readonly code: string }>
}

/** The service over its sandbox, whose faults each request clears afterwards. */
const service = Effect.map(startTestService({}, withAccounts), ({ call, prepared, sandbox: { closeLedger, faults } }) => ({
  account: prepared[0]?.source.publicKey() ?? "",
  call,
  closeLedger,
  faults
}))

it.scopedLive("the account route answers whole, and says by status and Retry-After when a source fails", () =>
  Effect.gen(function*() {
    const { account, call, faults } = yield* service
    const path = `/testnet/account/${account}`
    const whole = yield* call<State>("GET", path)
    assert.deepStrictEqual([whole.status, whole.body.trustlines.length, whole.body.warnings], [200, 3, []])

    yield* faults.set({ fault: new TooManyRequests({ retryAfterSeconds: 30 }), rest: "/offers", times: 1 })
    const limited = yield* call<ErrorBody>("GET", path)
    assert.deepStrictEqual([limited.status, limited.body.error.code, limited.headers.get("retry-after")], [
      503,
      "upstream_rate_limited",
      "30"
    ])
  }))

it.scopedLive("the account route tells a source that is unusable from one that lags", () =>
  Effect.gen(function*() {
    const { account, call, closeLedger, faults } = yield* service
    const path = `/testnet/account/${account}`
    // The first bad answer may be an accident, so the service retries once.
    yield* faults.set({ fault: new GarbageBody({}), rest: "/claimable_balances", times: 2 })
    const unusable = yield* call<ErrorBody>("GET", path)
    assert.deepStrictEqual([unusable.status, unusable.body.error.code], [502, "upstream_unusable"])

    yield* closeLedger()
    yield* faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }), rest: "*" })
    const lagging = yield* call<State>("GET", path)
    assert.deepStrictEqual([lagging.status, lagging.body.warnings.map(({ code }) => code)], [200, ["source_lagging"]])
  }))

it.scopedLive("deep health tells a ledger API that lags from one that is gone", () =>
  Effect.gen(function*() {
    const { call, closeLedger, faults } = yield* service
    for (let ledger = 0; ledger < 8; ledger++) yield* closeLedger()
    yield* faults.set({ fault: new LaggingLedgerApi({ ledgers: 8 }), rest: "*" })
    const lagging = yield* call<Health>("GET", "/health/deep")
    assert.deepStrictEqual([lagging.status, lagging.body.details["ledger_api_testnet"]], [
      200,
      { status: "up", message: "8 ledgers behind the contract RPC, so no merge is built" }
    ])
  }))

it.scopedLive.runIf(isThorough)("deep health is 503 while a source does not answer", () =>
  Effect.gen(function*() {
    const { call, faults } = yield* service
    yield* faults.set({ fault: new CutConnection({}), rpc: "*" })
    const gone = yield* call<Health>("GET", "/health/deep")
    assert.deepStrictEqual([gone.status, gone.body.details["rpc_testnet"], gone.body.details["ledger_api_testnet"]], [
      503,
      { status: "down", message: "1 of 1 endpoint: no response" },
      { status: "up" }
    ])
  }))

it.scopedLive("destinations are described", () =>
  Effect.gen(function*() {
    const { account, call } = yield* service
    const { body, status } = yield* call<{ readonly kind: string }>("GET", `/testnet/destinations/${account}`)
    assert.deepStrictEqual([status, body.kind], [200, "account"])
    const muxed = muxedOf(account, 7n)
    const behind = yield* call<Partial<DestinationReport>>("GET", `/testnet/destinations/${muxed}`)
    assert.deepStrictEqual([behind.body.kind, behind.body.address, behind.body.muxedProblem], ["account", muxed, null])
    const { body: refused, status: refusal } = yield* call<ErrorBody>("GET", "/testnet/destinations/nobody")
    assert.deepStrictEqual([refusal, refused.error.code], [400, "invalid_address"])
  }))

import { assert, it } from "@effect/vitest"
import { AuthImmutableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Duration, Effect, Layer, Schema } from "effect"
import { Preflight } from "../../src/close/answer/Preflight.ts"
import { Admission, ComputingBounds } from "../../src/close/load/Admission.ts"
import { Requester } from "../../src/close/load/Requester.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { showAmount } from "../../src/domain/Amount.ts"
import { PreflightReport } from "../../src/domain/PreflightReport.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { layer } from "../support/Layered.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import * as Client from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

/** The report on an account; anything but 200 fails the test. */
const preflight = (account: Keypair) => Effect.map(Client.preflight(account.publicKey()), Schema.decodeSync(PreflightReport))

layer(Service.layer(), { excludeTestServices: true })("a preflight", (it) => {
  it.effect("of an account with lumens alone says that it can be merged, and promises no more than its close brings", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("12.5"))
      const report = yield* preflight(source)
      assert.deepInclude(report, {
        address: AccountAddress.make(source.publicKey()),
        network: "testnet",
        mergeable: true,
        status: "ready",
        blockers: [],
        decisions: [],
        transactionCount: 1
      })
      assert.strictEqual(showAmount(report.lumens.held), "12.5000000")
      const { received } = yield* closeThrough({ source, destination })
      const { atLeast } = report.lumens
      assert(atLeast !== null)
      assert.isTrue(atLeast <= received && received - atLeast < 100_000n, `${atLeast} of ${received}`)
    }))

  it.effect("counts what its owner must decide, by kind and in words, and counts nothing of it as brought", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(DemoAccount)
      const report = yield* preflight(source)
      assert.deepStrictEqual([report.mergeable, report.status, report.blockers], [false, "needs_decisions", []])
      assert.deepStrictEqual(report.decisions, [{ type: "asset", count: 3, message: "3 assets: sell, return or transfer." }])
      const { received } = yield* closeThrough({ source, destination, wished: ["convert_to_native"] })
      const { atLeast } = report.lumens
      assert(atLeast !== null)
      assert.isTrue(atLeast > 150_0000000n && atLeast <= received, `${atLeast} of ${received}`)
    }))

  it.effect("names what blocks by reason and count, and then promises nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      yield* on(perform("immutable", { as: source, operations: [Operation.setOptions({ setFlags: AuthImmutableFlag })] }))
      const report = yield* preflight(source)
      assert.deepStrictEqual([report.mergeable, report.status, report.lumens.atLeast], [false, "blocked", null])
      assert.deepStrictEqual(report.blockers.map(({ count, reason }) => [reason, count]), [["auth_immutable", 1]])
      assert.match(report.blockers[0]?.message ?? "", /AUTH_IMMUTABLE/)
      assert.match(report.blockers[0]?.helpUrl ?? "", /\/docs\/errors\.md#blocker-auth_immutable$/)
    }))

  it.effect("needs the key, an address that is one, and an account that is there", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      const code = (path: string, headers: Readonly<Record<string, string>> = {}) =>
        Effect.map(call<ErrorBody>("GET", path, undefined, headers), ({ body, status }) => [status, body.error.code])
      const nobody = Keypair.random().publicKey()
      assert.deepStrictEqual(yield* code(`/testnet/preflight/${nobody}`, { authorization: "Bearer none" }), [401, "unauthorized"])
      assert.deepStrictEqual(yield* code("/testnet/preflight/GNOBODY"), [400, "invalid_address"])
      assert.deepStrictEqual(yield* code(`/testnet/preflight/${nobody}`), [404, "not_found"])
      assert.deepStrictEqual(yield* code(`/mainnet/preflight/${nobody}`), [503, "network_unavailable"])
      assert.deepStrictEqual(yield* code(`/testnet/preflight/${nobody}?destination=${nobody}`), [400, "bad_request"])
    }))
})

it.scopedLive("preflights of one account at the same time share one reading, and nothing is remembered after it", () =>
  Effect.gen(function*() {
    const { layer: logging, lines } = serviceLog()
    const service = yield* startTestService({}, undefined, logging)
    const { source } = yield* service.on(Pair())
    const asked = Effect.provideService(preflight(source), Service, service)
    const calls = (from: number): ReadonlyArray<number> =>
      lines.slice(from).filter(({ fields, text }) => text === "request" && fields["route"] === "/:network/preflight/:address")
        .map(({ fields }) => Number(fields["upstreamCalls"]))
    yield* asked
    const [whole = 0] = calls(0)
    assert.isAbove(whole, 2)
    const before = lines.length
    const reports = yield* Effect.all(Array.from({ length: 5 }, () => asked), { concurrency: "unbounded" })
    assert.strictEqual(new Set(reports.map((report) => JSON.stringify(report, (_, value) => String(value)))).size, 1)
    const together = calls(before)
    assert.lengthOf(together, 5)
    assert.isBelow(together.filter((count) => count > 0).length, 5)
    const after = lines.length
    yield* asked
    assert.isAbove(calls(after)[0] ?? 0, 2)
  }))

it.effect("a preflight whose turn would come too late refuses no other caller's of the same account", () =>
  Effect.gen(function*() {
    const { source } = yield* Pair()
    const asked = (caller: string, seconds: number) =>
      onTestnet(Effect.flatMap(Preflight, ({ report }) => report(AccountAddress.make(source.publicKey())))).pipe(
        Effect.provideService(Requester, { path: [caller], deadline: Duration.seconds(seconds) }),
        Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ status }) => status })
      )
    // Takes the only turn for longer than the first caller waits.
    const holding = onTestnet(Effect.flatMap(Admission, ({ admit }) => admit("close")(Effect.sleep("4 seconds"))))
    const { exit } = yield* timed(
      Effect.all([holding, asked("self-service", 4), asked("operator", 25)], { concurrency: "unbounded" })
    )
    assert.deepStrictEqual(yield* exit, [undefined, "ServiceBusy", "ready"])
  }).pipe(
    Effect.provide(Layer.provide(inMemory(), Layer.succeed(ComputingBounds, { atOnce: 1, closes: 1, shareOfDeadline: 0.5 })))
  ))

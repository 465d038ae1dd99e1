import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { ComputingBounds } from "../../src/close/load/Admission.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { HolderWithMarket } from "./support/Accounts.ts"
import { Service } from "./support/Service.ts"

/** One request at a time, and almost no wait for a turn. */
const impatient = Layer.merge(
  Logger.minimumLogLevel(LogLevel.None),
  Layer.succeed(ComputingBounds, { atOnce: 1, closes: 1, shareOfDeadline: 0.01 })
)

const served = Layer.scoped(
  Service,
  startTestService({}, Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }), impatient)
)

layer(Layer.provideMerge(served, jumping), { excludeTestServices: true })("a network whose only turn is taken by a slow request", (it) => {
  it.effect("rejects reads, plans and builds alike with 503 service_busy, and serves them afterwards", () =>
    Effect.gen(function*() {
      const { call, on, passphrase, sandbox } = yield* Service
      const { asset, destination, source } = yield* on(HolderWithMarket())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const account = `/testnet/account/${source.publicKey()}`
      const requests = [
        ["GET", account],
        ["GET", `/testnet/allowances/${source.publicKey()}`],
        ["GET", `/testnet/paths?fromAsset=${asset.getCode()}:${asset.getIssuer()}&amount=1`],
        ["POST", "/v1/testnet/close/plan", request],
        ["POST", "/v1/testnet/close/transactions", request],
        ["POST", "/testnet/allowances/revoke", { owner: request.source, token: asset.contractId(passphrase), spender: request.destination }]
      ] as const
      const codes = Effect.forEach(
        requests,
        ([method, path, body]) =>
          Effect.map(call<Partial<ErrorBody>>(method, path, body), (answer) => ({
            path,
            status: answer.status,
            code: answer.body.error?.code ?? "none",
            says: answer.status !== 503 || Number(answer.headers.get("retry-after")) >= 1
          })),
        { concurrency: "unbounded" }
      )
      yield* sandbox.faults.set({ fault: new Latency({ millis: 2_000 }) })
      const [first, beside] = yield* Effect.all(
        [call("GET", account), Effect.delay(codes, "500 millis")],
        { concurrency: "unbounded" }
      )
      yield* sandbox.faults.clear()
      assert.strictEqual(first.status, 200)
      for (const one of beside) {
        assert.deepStrictEqual(one, { path: one.path, status: 503, code: "service_busy", says: true })
      }
      for (const [method, path, body] of requests.slice(0, 4)) {
        assert.strictEqual((yield* call(method, path, body)).status, 200, path)
      }
    }))
})

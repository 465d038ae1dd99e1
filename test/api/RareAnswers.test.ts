import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountTooLarge } from "../../src/domain/failure/Planning.ts"
import { ConfirmationTimeout, SubmissionBusy } from "../../src/domain/failure/Submitting.ts"
import { NetworkFeeAboveLimit, UpstreamRateLimited } from "../../src/domain/failure/Upstream.ts"
import { layer } from "../support/Layered.ts"
import { postJson, sendKeyed, type Stubs, testHttp } from "../support/TestHttp.ts"
import { type ErrorBody, startTestService, withAccounts } from "../support/TestService.ts"

const service = startTestService({}, withAccounts)

describe("a service with a prepared account", () => {
  it.scoped("answers every route that reads", () =>
    Effect.gen(function*() {
      const { call, prepared } = yield* service
      const { destination, source } = prepared[0] ?? { source: Keypair.random(), destination: Keypair.random() }
      const [from, to] = [source.publicKey(), destination.publicKey()]
      const paths = [
        "/",
        "/health",
        "/health/ready",
        "/health/deep",
        "/config/exchange-registry",
        `/testnet/account/${from}`,
        `/testnet/allowances/${from}`,
        `/testnet/paths?fromAsset=native&amount=1`,
        `/testnet/destinations/${to}`,
        `/testnet/preflight/${from}`,
        `/v1/testnet/transactions/${"0".repeat(64)}`
      ]
      for (const path of paths) assert.strictEqual((yield* call("GET", path)).status, 200, path)
    }))

  it.scoped("refuses a batch without accounts, and one of too many", () =>
    Effect.gen(function*() {
      const { call } = yield* service
      const planned = (addresses: ReadonlyArray<string>) =>
        Effect.map(call<ErrorBody>("POST", "/v1/testnet/close/batch-plan", { addresses }), ({ body }) => body.error.code)
      assert.strictEqual(yield* planned([]), "invalid_accounts")
      assert.strictEqual(yield* planned(Array.from({ length: 101 }, () => Keypair.random().publicKey())), "too_many_accounts")
    }))
})

const [source, destination] = [Keypair.random().publicKey(), Keypair.random().publicKey()]

/** Failures that take minutes or thousands of entries to cause: stubs return them. */
const told: Stubs = {
  plan: () => Effect.fail(new AccountTooLarge({ limit: 4000 })),
  next: () => Effect.fail(new NetworkFeeAboveLimit({ feeStroops: "100000000", limitStroops: "1000000" })),
  read: () => Effect.fail(new UpstreamRateLimited({ retryAfterSeconds: 30 }))
}

const failing = (failure: SubmissionBusy | ConfirmationTimeout): Stubs => ({ submit: () => Effect.fail(failure) })

const signedXdr = "AAAA"

layer(testHttp(told))("a failure that is rare", (live) => {
  live.effect("has its code and status", () =>
    Effect.gen(function*() {
      const plan = yield* sendKeyed(postJson("/v1/testnet/close/plan", { source }))
      assert.deepStrictEqual([plan.status, plan.code], [422, "account_too_large"])
      const built = yield* sendKeyed(postJson("/v1/testnet/close/transactions", { source, destination }))
      assert.deepStrictEqual([built.status, built.code], [503, "network_fee_above_limit"])
    }))
})

for (
  const [failure, code, status] of [
    [new SubmissionBusy(), "submission_busy", 503],
    [new ConfirmationTimeout({ hash: "0".repeat(64) }), "confirmation_timeout", 504]
  ] as const
) {
  layer(testHttp(failing(failure)))(`a submission that ends in ${code}`, (live) => {
    live.effect("has its code and status", () =>
      Effect.gen(function*() {
        const answer = yield* sendKeyed(postJson("/v1/testnet/submit", { signedXdr }))
        assert.deepStrictEqual([answer.status, answer.code], [status, code])
      }))
  })
}

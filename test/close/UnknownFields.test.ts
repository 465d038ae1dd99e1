import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import { plan, type PlanBody, refusal, refusedGet } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"

const batch = "/v1/testnet/close/batch-plan"

interface Result {
  readonly plan?: PlanBody
  readonly error?: ErrorBody["error"]
}

layer(Service.layer(), { excludeTestServices: true })("a field that does not exist", (it) => {
  it.effect("is refused, and named with the nearest that does", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const good = acknowledged(source, destination)
      const cases = [
        [{ ...good, maxSlippageBPS: 1 }, "maxSlippageBPS", "maxSlippageBps"],
        [{ ...good, decision: [] }, "decision", "decisions"],
        [{ ...good, memo: { type: "text", value: "x", vlaue: "y" } }, "memo.vlaue", "value"],
        [{ ...good, [`x${"y".repeat(5000)}`]: 1 }, `x${"y".repeat(199)}`, ""]
      ] as const
      for (const [body, path, meant] of cases) {
        for (const route of ["plan", "next"] as const) {
          const refused = yield* refusal(route, body)
          assert.deepInclude(refused, { status: 400, code: "invalid_body" })
          const issues = refused.details["issues"] as ReadonlyArray<{ readonly path: string; readonly message: string }>
          const issue = issues.find((one) => one.path === path)
          assert.include(issue?.message ?? "", meant, JSON.stringify(issues).slice(0, 400))
        }
      }
    }))

  it.effect("is refused on every other route with a body, and in an answer", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const good = acknowledged(source, destination)
      assert.deepInclude(yield* refusal("submit", { signedXdr: "AAAA", wait: true }), { status: 400, code: "invalid_body" })
      assert.deepInclude(yield* refusal("coSign", { transaction: "AAAA", memo: "1" }), { status: 400, code: "invalid_body" })
      const odd = { ...good, decisions: [{ ...good.decisions[0], note: "mine" }] }
      assert.deepInclude(yield* refusal("plan", odd), { status: 400, code: "invalid_decisions" })
      assert.strictEqual((yield* plan(good)).status, "ready")
    }))

  it.effect("of a query is refused where a key is needed, and ignored where none is", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const { source } = yield* on(Pair())
      const refused = yield* refusedGet(`/testnet/account/${source.publicKey()}?token=x`)
      assert.deepInclude(refused, { status: 400, code: "bad_request" })
      assert.deepInclude(yield* refusedGet("/testnet/paths?fromAsset=native&amount=1&slippage=3"), { status: 400, code: "bad_request" })
      const { status } = yield* call("GET", "/health?verbose=1")
      assert.strictEqual(status, 200)
    }))
})

layer(Service.layer(), { excludeTestServices: true })("an account of a batch", (it) => {
  it.effect("may say all that a plan request says, and takes from the batch what it does not say", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const [one, two] = [yield* on(Pair()), yield* on(Pair())]
      const results = (body: unknown) =>
        Effect.map(call<{ readonly results: ReadonlyArray<Result> }>("POST", batch, body), ({ body: answer }) => answer.results)
      const accounts = [acknowledged(one.source, one.destination), { ...acknowledged(two.source, two.destination), feePayer: "source" }]
      const made = yield* results({ accounts, feePayer: "fee_bump" })
      assert.deepStrictEqual(made.map(({ plan: made }) => made?.estimate.feeLumens !== "0.0000000"), [false, true])
      const wrong = yield* results({ accounts: [{ source: one.source.publicKey(), validForSeconds: 1 }], validForSeconds: 300 })
      assert.strictEqual(wrong[0]?.error?.code, "invalid_validity")
      const slipping = yield* results({ addresses: [Keypair.random().publicKey()], maxSlippageBps: 0 })
      assert.strictEqual(slipping[0]?.error?.code, "invalid_slippage")
    }))
})

import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import type { PlanBody } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

interface Result {
  readonly source: string
  readonly plan?: PlanBody
  readonly error?: ErrorBody["error"]
}

const path = "/v1/testnet/close/batch-plan"

const results = (body: unknown) =>
  Effect.flatMap(Service, ({ call }) => call<{ readonly results: ReadonlyArray<Result> }>("POST", path, body)).pipe(
    Effect.map(({ body: answer }) => answer.results)
  )

const refused = (body: unknown) =>
  Effect.flatMap(Service, ({ call }) => call<ErrorBody>("POST", path, body)).pipe(
    Effect.map(({ body: { error }, status }) => [status, error.code])
  )

const random = () => Keypair.random().publicKey()

layer(Service.layer(), { excludeTestServices: true })("a batch of plans", (it) => {
  it.effect("gives each account its plan or its failure, in request order", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [one, two] = [yield* on(Pair()), yield* on(Pair())]
      const missing = random()
      const made = yield* results({
        accounts: [
          { source: one.source.publicKey() },
          { source: missing },
          { source: "GNOBODY" },
          { source: two.source.publicKey(), destination: one.source.publicKey() }
        ],
        destination: one.destination.publicKey()
      })
      assert.deepStrictEqual(made.map(({ source }) => source), [one.source.publicKey(), missing, "GNOBODY", two.source.publicKey()])
      assert.strictEqual(made[0]?.plan?.status, "needs_decisions")
      assert.deepStrictEqual(made.slice(1).map(({ error }) => error?.code), ["not_found", "invalid_source", "invalid_destination"])
      assert.deepInclude(made[1]?.error?.details, { address: missing, retry: "after_fix" })
      assert.match(String(made[1]?.error?.details?.["requestId"]), /^[0-9a-f]{8}-/)
    }))

  it.effect("takes bare addresses, and answers line by line where that is accepted", () =>
    Effect.gen(function*() {
      const { key, on, url } = yield* Service
      const pairs = [yield* on(Pair()), yield* on(Pair()), yield* on(Pair())]
      const addresses = pairs.map(({ source }) => source.publicKey())
      const made = yield* results({ addresses })
      assert.deepStrictEqual(
        made.map(({ plan, source }) => [source, plan?.decisionPoints[0]?.id]),
        addresses.map((source) => [source, "destination"])
      )
      const { lines, type } = yield* Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/x-ndjson" },
          body: JSON.stringify({ addresses })
        })
        return { type: response.headers.get("content-type"), lines: (await response.text()).trimEnd().split("\n") }
      })
      assert.strictEqual(type, "application/x-ndjson")
      assert.sameMembers(lines.map((line) => (JSON.parse(line) as Result).source), addresses)
    }))

  it.effect("refuses what is no batch", () =>
    Effect.gen(function*() {
      const twice = random()
      assert.deepStrictEqual(yield* refused({}), [400, "invalid_accounts"])
      assert.deepStrictEqual(yield* refused({ addresses: [] }), [400, "invalid_accounts"])
      assert.deepStrictEqual(yield* refused({ addresses: [twice, twice] }), [400, "invalid_accounts"])
      assert.deepStrictEqual(yield* refused({ addresses: [random()], accounts: [{ source: random() }] }), [400, "invalid_accounts"])
      assert.deepStrictEqual(yield* refused({ addresses: Array.from({ length: 101 }, random) }), [400, "too_many_accounts"])
      assert.deepStrictEqual(yield* refused({ addresses: "none" }), [400, "invalid_body"])
    }))
})

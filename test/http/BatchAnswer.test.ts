import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { type UnexpectedFailure, UnexpectedFailures } from "../../src/http/UnexpectedFailures.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { postJson, sendKeyed, testHttp } from "../support/TestHttp.ts"

const addresses = Array.from({ length: 3 }, () => Keypair.random().publicKey())

/** Three accounts. The planner has a fault for the second one, before the others are planned. */
const plans = () =>
  Effect.succeed(addresses.map((source, index) => ({
    request: { source },
    plan: index === 1
      ? Effect.die(new Error("a fault in the planner"))
      : Effect.zipRight(Effect.yieldNow(), Effect.fail(new AccountNotFound({ address: source })))
  })))

interface Result {
  readonly source: string
  readonly error: { readonly code: string; readonly details: { readonly requestId: string } }
}

const resultsIn = (text: string): ReadonlyArray<Result> =>
  text.startsWith("{\"results\"") ? JSON.parse(text).results : text.trimEnd().split("\n").map((line) => JSON.parse(line))

describe("a batch with a defect in one plan", () => {
  for (const accept of ["application/json", "application/x-ndjson"]) {
    it.effect(`has every other result as ${accept}, and logs and reports the defect`, () => {
      const { layer, lines } = serviceLog()
      const reported: Array<UnexpectedFailure> = []
      const reports = Layer.succeed(UnexpectedFailures, { report: (failure) => Effect.sync(() => void reported.push(failure)) })
      return Effect.gen(function*() {
        const batch = postJson("/v1/testnet/close/batch-plan", { addresses })
        const { headers, status, text } = yield* sendKeyed(HttpClientRequest.setHeader(batch, "accept", accept))
        const id = headers["x-request-id"]
        assert.strictEqual(status, 200)
        assert.sameDeepMembers(
          resultsIn(text).map(({ error, source }) => [source, error.code, error.details.requestId]),
          addresses.map((source, index) => [source, index === 1 ? "internal_error" : "not_found", id])
        )
        assert.deepStrictEqual(
          reported.map(({ requestId, work }) => [requestId, work.network, work.operation, work.request.source]),
          [[id, "testnet", "plan", addresses[1]]]
        )
        const told = lines.filter((line) => line.text === "a plan of a batch failed unexpectedly")
        assert.deepStrictEqual(told.map(({ fields }) => fields["requestId"]), [id])
      }).pipe(Effect.provide(testHttp({ plans }).pipe(Layer.provide([layer, reports]))))
    })
  }
})

import { HttpApiBuilder, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Redacted } from "effect"
import { Api } from "../../src/api/Api.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { InsufficientLumens, PlanBlocked } from "../../src/domain/failure/Planning.ts"
import { RateLimited } from "../../src/domain/failure/Request.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { testHttp } from "../support/TestHttp.ts"

const address = AccountAddress.make(Keypair.random().publicKey())

const client = Effect.flatMap(
  GeneratedKey,
  (key) =>
    HttpApiClient.make(Api, {
      transformClient: HttpClient.mapRequest((request) => HttpClientRequest.bearerToken(request, Redacted.value(key)))
    })
)

describe("a client derived from the contract", () => {
  it.effect("gets the failure of the domain back, with its fields", () =>
    Effect.gen(function*() {
      const { close } = yield* client
      const failure = yield* Effect.flip(
        close.transactions({ path: { network: "testnet" }, payload: { source: address, destination: address } })
      )
      assert.instanceOf(failure, InsufficientLumens)
      assert.deepInclude(failure, { needed: stroops(15_000_000n), spendable: stroops(1n) })
    }).pipe(Effect.provide(testHttp({ next: () => new InsufficientLumens({ needed: stroops(15_000_000n), spendable: stroops(1n) }) }))))

  it.effect("gets those of the pipeline too", () =>
    Effect.gen(function*() {
      const { account } = yield* client
      const unavailable = yield* Effect.flip(account.read({ path: { network: "mainnet", address }, urlParams: {} }))
      assert.instanceOf(unavailable, NetworkUnavailable)
      const limited = yield* Effect.flip(account.read({ path: { network: "mainnet", address }, urlParams: {} }))
      assert.instanceOf(limited, RateLimited)
    }).pipe(Effect.provide(testHttp({}, { RATE_LIMIT: "1" }))))

  it("has no failure that its endpoint does not declare", () => {
    // @ts-expect-error a plan never fails on a blocker: the plan lists it
    const handler = HttpApiBuilder.handler(Api, "close", "plan", () => Effect.fail(new PlanBlocked({ blockers: [] })))
    assert.isFunction(handler)
  })
})

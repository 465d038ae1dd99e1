import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AllowancesResult } from "../../src/domain/Allowance.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { Issued } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { approve, AssetContract, ExampleToken, newestLedger, passing } from "./support/Approving.ts"
import { addressNamed, listedToken, router, tokenService } from "./support/TokenService.ts"

/** What the route answers about an account. */
const allowancesOf = (owner: Keypair | string, query = "") =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const address = typeof owner === "string" ? owner : owner.publicKey()
    const { body, status } = yield* call<AllowancesResult>("GET", `/testnet/allowances/${address}${query}`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  })

/** An account with a line to an asset whose contract is deployed. */
const Holder = Effect.gen(function*() {
  const owner = Keypair.random()
  yield* fund("100", owner)
  const { asset } = yield* Issued("USD", [owner, "50"])
  return { owner, asset, token: yield* AssetContract(asset) }
})

layer(tokenService(), { excludeTestServices: true })("live allowances", (it) => {
  it.effect("are listed with what is left, until when and to whom, of an asset's contract and of another token", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner, token } = yield* on(Holder)
      const other = addressNamed("another token")
      yield* on(ExampleToken(other, owner))
      const friend = Keypair.random().publicKey()
      const first = yield* on(approve(owner, token, router, { amount: 7n }))
      const second = yield* on(approve(owner, other, friend, { amount: 12n }))
      const { allowances, coverage, eventsScanned, warnings } = yield* allowancesOf(owner)
      const rows = [
        {
          token,
          tokenSymbol: "USD",
          tokenDecimals: 7,
          spender: router,
          spenderProtocol: "amm_2",
          amount: "7",
          expirationLedger: first,
          sources: ["events", "registry"] as const
        },
        {
          token: other,
          tokenSymbol: "EXM",
          tokenDecimals: 6,
          spender: friend,
          spenderProtocol: "unknown",
          amount: "12",
          expirationLedger: second,
          sources: ["events"] as const
        }
      ]
      assert.deepStrictEqual(allowances, rows.toSorted((one, two) => (one.token < two.token ? -1 : 1)))
      assert.deepStrictEqual(coverage.map(({ source, status }) => [source, status]), [
        ["events", "ok"],
        ["registry", "ok"],
        ["manual", "skipped"]
      ])
      assert.deepStrictEqual(eventsScanned, { fromLedger: 1, toLedger: yield* on(newestLedger) })
      assert.deepStrictEqual(warnings, [])
    }))

  it.effect("are over when they are revoked, used up or past their ledger, whatever is left of the entry", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner, token } = yield* on(Holder)
      yield* on(approve(owner, token, router, { amount: 7n, ledgers: 3 }))
      assert.lengthOf((yield* allowancesOf(owner)).allowances, 1)
      yield* on(passing(2))
      assert.lengthOf((yield* allowancesOf(owner)).allowances, 1)
      yield* on(passing(1))
      assert.lengthOf((yield* allowancesOf(owner)).allowances, 0)
      yield* on(approve(owner, token, router, { amount: 9n }))
      assert.deepStrictEqual((yield* allowancesOf(owner)).allowances.map(({ amount }) => amount), ["9"])
      yield* on(approve(owner, token, router, { amount: 0n, ledgers: 0 }))
      assert.lengthOf((yield* allowancesOf(owner)).allowances, 0)
    }))

  it.effect("of somebody whom nothing names are found when the caller names them", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner } = yield* on(Holder)
      yield* on(ExampleToken(listedToken, owner))
      const nothing = yield* allowancesOf(owner, `?tokens=${listedToken}&spenders=${addressNamed("nobody")}`)
      assert.deepStrictEqual([nothing.allowances, nothing.coverage[2]], [[], { source: "manual", status: "ok" }])
    }))
})

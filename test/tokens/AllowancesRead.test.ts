import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import type { AllowancesResult } from "../../src/domain/Allowance.ts"
import { addressOf, addressVal, i128, struct, u32, variant } from "../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { EventsTooHeavy } from "../../src/sandbox/faults/LimitedServer.ts"
import { RpcError, ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, turnToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Issued } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { approve, ExampleToken, newestLedger, passing } from "./support/Approving.ts"
import { addressNamed, listedToken, router, tokenService } from "./support/TokenService.ts"

/** The route's answer about an account. */
const allowancesOf = (owner: Keypair | string, query = "") =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const address = typeof owner === "string" ? owner : owner.publicKey()
    const { body, status } = yield* call<AllowancesResult>("GET", `/testnet/allowances/${address}${query}`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  })

/** An account with a trustline to an asset whose contract is deployed. */
const Holder = Effect.gen(function*() {
  const { passphrase } = yield* Network
  const owner = Keypair.random()
  yield* fund("100", owner)
  const { asset } = yield* Issued("USD", [owner, "50"])
  return { owner, asset, token: ContractAddress.make(asset.contractId(passphrase)) }
})

layer(Layer.provideMerge(tokenService(), jumping), { excludeTestServices: true })("live allowances", (it) => {
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

  it.effect("are of every family of tokens, by the entry or by the token's own word and its event", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner } = yield* on(Holder)
      const [theirs, own] = [
        yield* on(deployToken({ family: "open_zeppelin", symbol: "OZT", decimals: 18 })),
        yield* on(
          deployToken({ family: "book", symbol: "BOOK", decimals: 3 })
        )
      ]
      const first = yield* on(approve(owner, ContractAddress.make(theirs), router, { amount: 3n }))
      const second = yield* on(approve(owner, ContractAddress.make(own), router, { amount: 4n }))
      const { allowances, warnings } = yield* allowancesOf(owner)
      const shown = allowances.map((one) => [one.token, one.tokenSymbol, one.tokenDecimals, one.amount, one.expirationLedger])
      assert.deepStrictEqual(
        shown.toSorted(),
        [[theirs, "OZT", 18, "3", first], [own, "BOOK", 3, "4", second]].toSorted()
      )
      assert.deepStrictEqual(warnings, [])
      yield* on(approve(owner, ContractAddress.make(own), router, { amount: 0n, ledgers: 0 }))
      assert.deepStrictEqual((yield* allowancesOf(owner)).allowances.map(({ token }) => token), [theirs])
    }))

  it.effect("whose amount or end cannot be made out are warnings, and no rows", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner } = yield* on(Holder)
      const token = yield* on(deployToken())
      const key = variant(
        "Allowance",
        struct({ from: addressVal(addressOf(owner.publicKey())), spender: addressVal(addressOf(router)) })
      )
      yield* on(Effect.flatMap(Network, ({ amend }) =>
        amend((state) =>
          state.set(dataEntries(addressOf(token), [key, struct({ amount: i128(7n), until: u32(5) })], "temporary", 1_000_000))
        )))
      const { allowances, warnings } = yield* allowancesOf(owner, `?tokens=${token}`)
      assert.deepStrictEqual(allowances, [])
      assert.deepStrictEqual(warnings.map(({ code, subject }) => [code, subject]), [["allowance_live", `allowance:${token}:${router}`]])
      assert.match(warnings[0]?.message ?? "", /may take 7 base units, but the expiry/)
    }))

  it.effect("of tokens that say absurd things are shown without them", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner } = yield* on(Holder)
      const token = ContractAddress.make(
        yield* on(deployToken({ family: "open_zeppelin", symbol: "\u0007\u202e".repeat(50), decimals: 4_000_000_000 }))
      )
      yield* on(approve(owner, token, router, { amount: 3n }))
      const { allowances, warnings } = yield* allowancesOf(owner)
      assert.deepStrictEqual(allowances.map((one) => [one.tokenSymbol, one.tokenDecimals]), [[token, 0]])
      assert.deepStrictEqual(warnings.map(({ code, subject }) => [code, subject]), [["decimals_unknown", token]])
    }))

  it.effect("of tokens that trap when they are asked are told to be unreadable; what strangers pretend is none", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner } = yield* on(Holder)
      const stranger = Keypair.random()
      yield* on(fund("100", stranger))
      const traps = yield* on(deployToken({ family: "book" }))
      yield* on(approve(owner, ContractAddress.make(traps), router, { amount: 3n }))
      yield* on(turnToken(traps, [{ _tag: "Fails", functions: ["allowance"] }]))
      const pretends = yield* on(deployToken({
        behaviours: [{
          _tag: "Pretends",
          functions: ["approve"],
          kind: "approve",
          from: owner.publicKey(),
          to: stranger.publicKey(),
          amount: 1_000_000n,
          times: 3
        }]
      }))
      yield* on(approve(stranger, ContractAddress.make(pretends), router, { amount: 1n }))
      const { allowances, warnings } = yield* allowancesOf(owner)
      assert.deepStrictEqual(allowances, [])
      assert.deepStrictEqual(warnings.map(({ code, subject }) => [code, subject]), [["allowance_unreadable", traps]])
    }))

  it.effect("are found beside tokens that never come to an end when they are asked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner, token } = yield* on(Holder)
      yield* on(approve(owner, token, router, { amount: 6n }))
      const hanging = yield* on(Effect.replicateEffect(deployToken({ family: "book" }), 3))
      for (const one of hanging) {
        yield* on(approve(owner, ContractAddress.make(one), router, { amount: 3n }))
        yield* on(turnToken(one, [{ _tag: "NeverEnds", functions: ["allowance"] }]))
      }
      const { allowances, coverage, warnings } = yield* allowancesOf(owner)
      assert.deepStrictEqual(allowances.map(({ amount }) => amount), ["6"])
      assert.strictEqual(coverage[0]?.status, "ok")
      assert.deepStrictEqual(
        warnings.map(({ code, subject }) => [code, subject]).toSorted(),
        hanging.map((one) => ["allowance_unreadable", one]).toSorted()
      )
    }), 30_000)

  it.effect("are found by the lists alone where no event tells of them", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { owner, token } = yield* on(Holder)
      yield* on(ExampleToken(listedToken, owner))
      const friend = Keypair.random().publicKey()
      yield* on(approve(owner, token, router, { amount: 1n }))
      yield* on(approve(owner, listedToken, router, { amount: 2n }))
      yield* on(approve(owner, token, friend, { amount: 3n }))
      const refused = new RpcError({ code: -32603, message: "no" })
      yield* sandbox.faults.set({ fault: refused, rpc: "getEvents" })
      const { allowances, coverage, eventsScanned, warnings } = yield* Effect.ensuring(
        allowancesOf(owner, `?spenders=${friend}`),
        sandbox.faults.clear()
      )
      const found = allowances.map((one) => [one.amount, one.sources.join()])
      assert.deepStrictEqual(found.toSorted(), [["1", "registry"], ["2", "registry"], ["3", "manual"]])
      assert.deepStrictEqual(coverage.map(({ source, status }) => [source, status]), [
        ["events", "failed"],
        ["registry", "ok"],
        ["manual", "ok"]
      ])
      assert.isNull(eventsScanned)
      assert.deepStrictEqual(warnings.map(({ code, subject }) => [code, subject]), [["source_failed", "events"]])
    }), 30_000)

  it.effect("are found where the source takes few ledgers at a time", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { owner } = yield* on(Holder)
      const token = ContractAddress.make(yield* on(deployToken()))
      yield* on(approve(owner, token, router, { amount: 8n, ledgers: 10_000 }))
      yield* on(Effect.flatMap(Network, ({ closeLedger }) => closeLedger({ ledgers: 5000 })))
      yield* sandbox.faults.set({ fault: new EventsTooHeavy({ ledgers: 1200 }) })
      const { allowances, coverage, eventsScanned, warnings } = yield* Effect.ensuring(allowancesOf(owner), sandbox.faults.clear())
      assert.deepStrictEqual(allowances.map(({ amount }) => amount), ["8"])
      assert.deepStrictEqual([coverage[0]?.status, eventsScanned, warnings], [
        "ok",
        { fromLedger: 1, toLedger: yield* on(newestLedger) },
        []
      ])
    }))

  it.effect("are not said to be none where a source failed", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { owner } = yield* on(Holder)
      yield* sandbox.faults.set({ fault: new ServiceUnavailable({}), rest: "/accounts/:id" })
      const { allowances, coverage, warnings } = yield* Effect.ensuring(allowancesOf(owner), sandbox.faults.clear())
      assert.deepStrictEqual([allowances, coverage[1]?.status], [[], "failed"])
      assert.deepStrictEqual(warnings.map(({ code, subject }) => [code, subject]), [["source_failed", "ledger_api"]])
      yield* sandbox.faults.set({ fault: new ServiceUnavailable({}), rpc: "getLedgerEntries" })
      const { call } = yield* Service
      const { body, status } = yield* Effect.ensuring(
        call<ErrorBody>("GET", `/testnet/allowances/${owner.publicKey()}`),
        sandbox.faults.clear()
      )
      assert.deepStrictEqual([status, body.error.code], [503, "network_unavailable"])
    }), 30_000)

  it.effect("of an account that is not there are looked for all the same", () =>
    Effect.gen(function*() {
      const { allowances, coverage } = yield* allowancesOf(Keypair.random())
      assert.deepStrictEqual([allowances, coverage.map(({ status }) => status)], [[], ["ok", "ok", "skipped"]])
    }))

  it.effect("of parties that are no addresses are refused", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      const path = `/testnet/allowances/${Keypair.random().publicKey()}`
      const codes = yield* Effect.forEach(["?tokens=x", "?spenders=x"], (query) =>
        Effect.map(call<ErrorBody>("GET", `${path}${query}`), ({ body, status }) => [status, body.error.code]))
      assert.deepStrictEqual(codes, [[400, "invalid_tokens"], [400, "invalid_spender"]])
    }))
})

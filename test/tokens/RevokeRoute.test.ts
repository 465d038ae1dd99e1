import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import type { AllowancesResult } from "../../src/domain/Allowance.ts"
import type { Behaviour } from "../../src/sandbox/contracts/tokens/Behaviour.ts"
import type { NewToken } from "../../src/sandbox/contracts/tokens/NewToken.ts"
import { EntryArchived } from "../../src/sandbox/events/EntryArchived.ts"
import { ManualRestoration } from "../../src/sandbox/faults/LimitedServer.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { approveSpender, deployToken, mintToken, turnToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { instanceKey } from "../../src/stellar/ContractKeys.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { Issued } from "../close/support/Accounts.ts"
import { rentAt } from "../close/support/Rent.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { newestLedger, passing } from "./support/Approving.ts"
import { addressNamed, router, tokenService } from "./support/TokenService.ts"

const Owner = Effect.gen(function*() {
  const owner = Keypair.random()
  yield* fund("100", owner)
  return owner
})

/** Approves a spender, and closes the ledger after it, because a revocation waits for one. */
const Approved = (owner: Keypair, token: string, spender: string, amount = 7n) =>
  Effect.gen(function*() {
    yield* approveSpender(token, { owner, spender, amount, liveUntil: (yield* newestLedger) + 1000 })
    yield* passing(1)
  })

const revoke = (body: unknown) =>
  Effect.flatMap(Service, ({ call }) => call<{ transaction: string } & ErrorBody>("POST", "/testnet/allowances/revoke", body))

const allowancesOf = (owner: Keypair) =>
  Effect.flatMap(
    Service,
    ({ call }) => Effect.map(call<AllowancesResult>("GET", `/testnet/allowances/${owner.publicKey()}`), ({ body }) => body.allowances)
  )

/** Signs and submits, and returns the service's answer. */
const submitted = (owner: Keypair, text: string) =>
  Effect.gen(function*() {
    const { call, passphrase } = yield* Service
    const transaction = TransactionBuilder.fromXDR(text, passphrase) as Transaction
    transaction.sign(owner)
    return yield* call<{ status: string }>("POST", "/v1/testnet/submit", { signedXdr: transaction.toXDR() })
  })

/** Stroops. */
const lumensOf = (owner: Keypair) =>
  Effect.flatMap(Service, ({ sandbox }) =>
    Effect.map(sandbox.snapshot, ({ state }) => {
      const data = state.get(accountKey(AccountAddress.make(owner.publicKey())))?.data
      return data?.type === "account" ? data.account.balance : 0n
    }))

/** The status and code of an error. */
const refusal = ({ body, status }: { readonly body: ErrorBody; readonly status: number }) => [status, body.error.code]

layer(tokenService(), { excludeTestServices: true })("a revocation", (it) => {
  const Tokens = {
    "of an asset's contract": (owner: Keypair) =>
      Effect.gen(function*() {
        const { passphrase } = yield* Service
        const { on } = yield* Service
        const { asset } = yield* on(Issued("USD", [owner, "10"]))
        return asset.contractId(passphrase)
      }),
    "of soroban-examples": () => Effect.flatMap(Service, ({ on }) => on(deployToken({ symbol: "EXM" }))),
    "of the library of OpenZeppelin": () => Effect.flatMap(Service, ({ on }) => on(deployToken({ family: "open_zeppelin" }))),
    "that keeps books of its own": () => Effect.flatMap(Service, ({ on }) => on(deployToken({ family: "book" })))
  } as const

  for (const [family, Made] of Object.entries(Tokens)) {
    for (const spender of [router, Keypair.random().publicKey()]) {
      it.effect(`ends an allowance of a token ${family} to ${spender === router ? "a contract" : "an account"}`, () =>
        Effect.gen(function*() {
          const { on, passphrase } = yield* Service
          const owner = yield* on(Owner)
          const token = yield* Made(owner)
          const kept = addressNamed("somebody else")
          yield* on(Approved(owner, token, kept, 5n))
          yield* on(Approved(owner, token, spender))
          assert.deepStrictEqual((yield* allowancesOf(owner)).map(({ amount }) => amount).toSorted(), ["5", "7"])
          const { body, status } = yield* revoke({ owner: owner.publicKey(), token, spender })
          assert.strictEqual(status, 200, JSON.stringify(body))
          const transaction = TransactionBuilder.fromXDR(body.transaction, passphrase) as Transaction
          assert.deepStrictEqual([transaction.source, transaction.operations.length, transaction.signatures.length], [
            owner.publicKey(),
            1,
            0
          ])
          const { body: done, status: sent } = yield* submitted(owner, body.transaction)
          assert.deepStrictEqual([sent, done.status], [200, "success"], JSON.stringify(done))
          assert.deepStrictEqual((yield* allowancesOf(owner)).map((one) => [one.spender, one.amount]), [[kept, "5"]])
          yield* on(passing(1))
          assert.deepStrictEqual(refusal(yield* revoke({ owner: owner.publicKey(), token, spender })), [400, "invalid_spender"])
        }))
    }
  }

  it.effect("of nothing is refused, each for what it is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* on(Owner)
      const token = yield* on(deployToken())
      yield* on(approveSpender(token, { owner, spender: router, amount: 7n, liveUntil: (yield* on(newestLedger)) + 2 }))
      const asked = { owner: owner.publicKey(), token, spender: router }
      yield* on(passing(3))
      assert.deepStrictEqual(refusal(yield* revoke(asked)), [400, "invalid_spender"], "past its ledger")
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, spender: addressNamed("x") })), [400, "invalid_spender"], "never given")
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, token: addressNamed("no token") })), [400, "invalid_token"])
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, owner: Keypair.random().publicKey() })), [404, "not_found"])
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, owner: token })), [400, "invalid_owner"])
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, token: owner.publicKey() })), [400, "invalid_token"])
      assert.deepStrictEqual(refusal(yield* revoke({ ...asked, spender: "nobody" })), [400, "invalid_spender"])
      assert.deepStrictEqual(refusal(yield* revoke({ owner: owner.publicKey() })), [400, "invalid_body"])
    }))

  const hostile = (behaviours: (owner: Keypair) => Effect.Effect<ReadonlyArray<Behaviour>, unknown, Service>, over: NewToken = {}) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* on(Owner)
      const token = yield* on(deployToken(over))
      yield* on(Approved(owner, token, router))
      yield* on(turnToken(token, yield* behaviours(owner)))
      yield* on(passing(1))
      return yield* revoke({ owner: owner.publicKey(), token, spender: router })
    })

  it.effect("is not built where the token would have the owner agree to more", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const victim = yield* on(deployToken())
      const refused = yield* hostile((owner) =>
        Effect.as(on(mintToken(victim, owner.publicKey(), 50n)), [{
          _tag: "CallsOther",
          functions: ["approve"],
          contract: victim,
          function: "transfer",
          party: router,
          amount: 50n
        }])
      )
      assert.deepStrictEqual(refusal(refused), [422, "revoke_unsafe"])
      assert.match(JSON.stringify(refused.body.error.details), /covers more than approve/)
    }))

  it.effect("is not built where the token only pretends", () =>
    Effect.gen(function*() {
      const ignored = yield* hostile(() => Effect.succeed([{ _tag: "Ignores", functions: ["approve"] }]))
      assert.deepStrictEqual(refusal(ignored), [422, "revoke_unsafe"])
      const ownBooks = yield* hostile(() => Effect.succeed([{ _tag: "Ignores", functions: ["approve"] }]), { family: "book" })
      assert.deepStrictEqual(refusal(ownBooks), [422, "revoke_unsafe"])
    }))

  it.effect("of a token that traps, or never comes to an end, says so in time", () =>
    Effect.gen(function*() {
      const traps = yield* hostile(() => Effect.succeed([{ _tag: "Fails", functions: ["approve"] }]))
      assert.deepStrictEqual(refusal(traps), [422, "simulation_failed"])
      const hangs = yield* hostile(() => Effect.succeed([{ _tag: "NeverEnds", functions: ["approve"] }]))
      assert.deepStrictEqual(refusal(hangs), [422, "simulation_failed"])
    }), 30_000)

  it.effect("says what lumens are missing", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const owner = yield* on(Owner)
      const token = yield* on(deployToken())
      yield* on(Approved(owner, token, router))
      const { state } = yield* sandbox.snapshot
      const spare = (state.header.baseReserve * 2 + 150) / 10_000_000
      const all = Operation.payment({
        destination: sandbox.root.publicKey(),
        asset: Asset.native(),
        amount: (Number(yield* lumensOf(owner)) / 10_000_000 - spare - 0.00001).toFixed(7)
      })
      yield* on(perform("nearly all is spent", { as: owner, operations: [all] }))
      yield* on(passing(1))
      const { body, status } = yield* revoke({ owner: owner.publicKey(), token, spender: router })
      assert.deepStrictEqual([status, body.error.code], [422, "insufficient_lumens"])
      assert.containsAllKeys(body.error.details ?? {}, ["needed", "spendable"])
    }))

  it.effect("of a token that is archived is built where simulation restores it, and says so where it does not", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const owner = yield* on(Owner)
      const token = yield* on(deployToken())
      yield* on(Approved(owner, token, router))
      yield* on(new EntryArchived({ key: instanceKey(ContractAddress.make(token)).toXdr("base64") }).happen())
      yield* on(passing(1))
      const asked = { owner: owner.publicKey(), token, spender: router }
      yield* sandbox.faults.set({ fault: new ManualRestoration({}) })
      const byHand = yield* Effect.ensuring(revoke(asked), sandbox.faults.clear())
      assert.deepStrictEqual(refusal(byHand), [422, "simulation_failed"])
      assert.match(JSON.stringify(byHand.body.error.details), /archived/)
      const { body, status } = yield* revoke(asked)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual((yield* submitted(owner, body.transaction)).status, 200)
      assert.deepStrictEqual(yield* allowancesOf(owner), [])
    }))

  it.effect("that would cost more than the service declares is not built: nobody can agree to it by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* on(Owner)
      const token = yield* on(deployToken())
      yield* on(Approved(owner, token, router))
      yield* on(new EntryArchived({ key: instanceKey(ContractAddress.make(token)).toXdr("base64") }).happen())
      yield* on(rentAt(6_000_000n))
      yield* on(passing(1))
      const asked = { owner: owner.publicKey(), token, spender: router }
      const dear = yield* revoke(asked)
      assert.deepStrictEqual(refusal(dear), [422, "simulation_failed"])
      const reason = JSON.stringify(dear.body.error.details)
      // Five lumens is the usual limit; the owner has a hundred.
      const [, fee] = /its resource fee of (\d+)\.\d+ lumens is above this service's limit/.exec(reason) ?? []
      assert.isTrue(Number(fee) >= 5 && Number(fee) < 90, reason)
      yield* on(rentAt(1n))
      assert.strictEqual((yield* revoke(asked)).status, 200)
    }))
})

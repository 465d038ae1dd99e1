import { assert } from "@effect/vitest"
import { Keypair, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AllowancesResult } from "../../src/domain/Allowance.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { approveSpender, deployToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Issued } from "../close/support/Accounts.ts"
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

/** Lets somebody spend; the ledger after it is closed, because a revocation waits for one. */
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

/** Signs, hands in, and tells what the service says. */
const submitted = (owner: Keypair, text: string) =>
  Effect.gen(function*() {
    const { call, passphrase } = yield* Service
    const transaction = TransactionBuilder.fromXDR(text, passphrase) as Transaction
    transaction.sign(owner)
    return yield* call<{ status: string }>("POST", "/v1/testnet/submit", { signedXdr: transaction.toXDR() })
  })

/** What of an answer names the refusal. */
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
          assert.deepStrictEqual([transaction.source, transaction.operations.length, transaction.signatures.length], [owner.publicKey(), 1, 0])
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
})

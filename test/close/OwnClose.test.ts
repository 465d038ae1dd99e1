import { assert, describe, it as bare } from "@effect/vitest"
import { Keypair, Operation, Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import type { TransactionsResult } from "../../src/domain/CloseTransaction.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { bearer, challengeFor, closingBy, openedBy, sessionFor, signedBy } from "../keys/support/Proving.ts"
import { layer } from "../support/Layered.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { accountOf } from "./support/LedgerView.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

const anonymous = { authorization: "" }

const codeOf = ({ body, status }: { readonly body: ErrorBody; readonly status: number }) => [status, body.error.code]

const signedXdr = (xdr: string, passphrase: string, ...signers: ReadonlyArray<Keypair>) => {
  const transaction = TransactionBuilder.fromXdr(xdr, passphrase)
  transaction.sign(...signers)
  return transaction.toXdr()
}

/** An account of 100 lumens, another one that receives them, and the session of the first. */
const begun = Effect.gen(function*() {
  const service = yield* Service
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* service.on(Effect.all([fund("100", source), fund("10", destination)]))
  const session = bearer((yield* closingBy(service, source.publicKey(), source)).token)
  const request = {
    source: source.publicKey(),
    destination: destination.publicKey(),
    decisions: [{ id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" }]
  }
  return { service, source, destination, session, request }
})

const closeRoutes = ["/close/plan", "/close/transactions", "/close/submit", "/close/mediator-sign"]

describe("the routes of the page /close", () => {
  layer(Service.layer(), { excludeTestServices: true })("over the sandbox", (it) => {
    it.effect("close the session's own account, and the session outlives the merge", () =>
      Effect.gen(function*() {
        const { destination, request, service, session, source } = yield* begun
        const plan = yield* service.call<typeof Plan.Encoded>("POST", "/close/plan", request, session)
        assert.deepStrictEqual([plan.status, plan.body.status], [200, "ready"])
        const built = yield* service.call<typeof TransactionsResult.Encoded>("POST", "/close/transactions", request, session)
        const [transaction] = built.body.transactions
        const envelope = signedXdr(transaction?.xdr ?? "", service.passphrase, source)
        const sent = yield* service.call<{ readonly hash: string }>("POST", "/close/submit", { signedXdr: envelope }, session)
        assert.deepStrictEqual([sent.status, sent.body.hash], [200, transaction?.hash])
        const after = yield* service.call<typeof Plan.Encoded>("POST", "/close/plan", request, session)
        assert.deepStrictEqual([after.body.status, after.body.closed?.paidTo], ["complete", destination.publicKey()])
        const again = yield* service.call<{ readonly hash: string }>("POST", "/close/submit", { signedXdr: envelope }, session)
        assert.deepStrictEqual([again.status, again.body.hash], [200, transaction?.hash])
      }))

    it.effect("refuse another account's plan, build, envelope and mediation", () =>
      Effect.gen(function*() {
        const { request, service, session } = yield* begun
        const [other, payer] = [Keypair.random(), Keypair.random()]
        yield* service.on(Effect.all([fund("100", other), fund("100", payer)]))
        const ask = (path: string, body: object) => Effect.map(service.call<ErrorBody>("POST", path, body, session), codeOf)
        const theirs = { ...request, source: other.publicKey() }
        assert.deepStrictEqual(yield* ask("/close/plan", theirs), [403, "session_scope"])
        assert.deepStrictEqual(yield* ask("/close/transactions", theirs), [403, "session_scope"])

        const built = yield* service.call<typeof TransactionsResult.Encoded>("POST", "/v1/testnet/close/transactions", theirs)
        const xdr = built.body.transactions[0]?.xdr ?? ""
        const signed = signedXdr(xdr, service.passphrase, other)
        assert.deepStrictEqual(yield* ask("/close/submit", { signedXdr: signed }), [403, "session_scope"])
        assert.deepStrictEqual(yield* ask("/close/mediator-sign", { transaction: xdr }), [403, "session_scope"])
        const inner = TransactionBuilder.fromXdr(signed, service.passphrase)
        assert.instanceOf(inner, Transaction)
        const bump = TransactionBuilder.buildFeeBumpTransaction(payer, "10000", inner as Transaction, service.passphrase)
        bump.sign(payer)
        assert.deepStrictEqual(yield* ask("/close/submit", { signedXdr: bump.toXdr() }), [403, "session_scope"])
        assert.deepStrictEqual(yield* ask("/close/submit", { signedXdr: "AAAA" }), [400, "invalid_transaction"])

        assert.isNotNull(yield* accountOf(other), "nothing of it reached the ledger")
      }))

    it.effect("bring lumens to an exchange by the mediator", () =>
      Effect.gen(function*() {
        const { request, service, session, source } = yield* begun
        const { payments } = yield* exchanges
        const own = { source: request.source, destination: payments, memo: { type: "text", value: "customer 42" } }
        const built = yield* service.call<typeof TransactionsResult.Encoded>("POST", "/close/transactions", own, session)
        const transaction = built.body.transactions[0]
        assert.deepStrictEqual(transaction?.next, ["mediator_sign", "sign", "submit"])
        const signed = yield* service.call<{ readonly transaction: string }>(
          "POST",
          "/close/mediator-sign",
          { transaction: transaction?.xdr },
          session
        )
        const signedXdrOf = signedXdr(signed.body.transaction, service.passphrase, source)
        const sent = yield* service.call<{ readonly hash: string }>("POST", "/close/submit", { signedXdr: signedXdrOf }, session)
        assert.deepStrictEqual([sent.status, sent.body.hash], [200, transaction?.hash])
      }))

    it.effect("take no other token, and their token opens nothing else", () =>
      Effect.gen(function*() {
        const { request, service, session, source } = yield* begun
        const keys = bearer((yield* openedBy(service, source.publicKey(), source)).token)
        const bodies = [request, request, { signedXdr: "AAAA" }, { transaction: "AAAA" }]
        for (const [index, path] of closeRoutes.entries()) {
          for (const token of [keys, {}, anonymous]) {
            assert.deepStrictEqual(
              codeOf(yield* service.call<ErrorBody>("POST", path, bodies[index], token)),
              [401, "unauthorized"],
              path
            )
          }
        }
        for (const [method, path, body] of [["GET", "/keys/mine"], ["POST", "/keys/mine", {}]] as const) {
          assert.deepStrictEqual(codeOf(yield* service.call<ErrorBody>(method, path, body, session)), [401, "unauthorized"])
        }
        assert.deepStrictEqual(
          codeOf(yield* service.call<ErrorBody>("POST", "/v1/testnet/close/plan", request, session)),
          [401, "unauthorized"]
        )
        // A token with the letters of the other kind was never signed as that kind.
        const [, body = ""] = session.authorization.split("_", 2)
        assert.strictEqual((yield* service.call("GET", "/keys/mine", undefined, bearer(`ks_${body}`))).status, 401)
      }))
  })

  layer(Service.layer())("with a clock of the test", (it) => {
    it.effect("open one session a challenge, which one signer suffices for, and which ends after half an hour", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const [account, signer] = [Keypair.random(), Keypair.random()]
        yield* service.on(Effect.zipRight(
          fund("100", account),
          perform("a second signer", {
            as: account,
            operations: [Operation.setOptions({
              masterWeight: 1,
              medThreshold: 5,
              highThreshold: 5,
              signer: { ed25519PublicKey: signer.publicKey(), weight: 4 }
            })]
          })
        ))
        const challenge = yield* challengeFor(service, account.publicKey(), "close")
        const signed = signedBy(challenge, signer)
        const opened = yield* sessionFor(service, signed, "close")
        assert.strictEqual(opened.status, 200)
        assert.deepStrictEqual(codeOf(yield* sessionFor(service, signed, "close")), [401, "unauthorized"])
        // A challenge that opened a session here opens none on the other page.
        const both = signedBy(yield* challengeFor(service, account.publicKey(), "close"), account, signer)
        assert.strictEqual((yield* sessionFor(service, both, "close")).status, 200)
        const there = service.call("POST", "/keys/session", { network: "testnet", transaction: both }, anonymous)
        assert.strictEqual((yield* there).status, 401)
        const strangers = signedBy(yield* challengeFor(service, account.publicKey(), "close"), Keypair.random())
        assert.deepStrictEqual(codeOf(yield* sessionFor(service, strangers, "close")), [401, "unauthorized"])

        const plan = service.call<ErrorBody>("POST", "/close/plan", { source: account.publicKey() }, bearer(opened.body.token))
        assert.strictEqual((yield* plan).status, 200)
        yield* TestClock.setTime(Date.parse(opened.body.expiresAt) - 1)
        assert.strictEqual((yield* plan).status, 200)
        yield* TestClock.setTime(Date.parse(opened.body.expiresAt))
        assert.deepStrictEqual(codeOf(yield* plan), [401, "unauthorized"])
        yield* TestClock.setTime(0)
      }))
  })

  bare.scoped("are for no page of another origin, whatever CORS_ORIGINS says", () =>
    Effect.gen(function*() {
      const { url } = yield* startTestService({ CORS_ORIGINS: "*" })
      const from = (path: string) => Effect.promise(() => fetch(`${url}${path}`, { headers: { origin: "https://other.example" } }))
      assert.strictEqual((yield* from("/health")).headers.get("access-control-allow-origin"), "https://other.example")
      for (const path of ["/close", "/close/challenge", "/close/session", ...closeRoutes]) {
        assert.strictEqual((yield* from(path)).headers.get("access-control-allow-origin"), null, path)
      }
    }))

  bare.scoped("have a rate for each account beside that of each client", () =>
    Effect.gen(function*() {
      const service = yield* startTestService({ RATE_LIMIT: "12", TRUSTED_PROXY_HOPS: "1" })
      const source = Keypair.random()
      yield* service.on(fund("100", source))
      const open = bearer((yield* closingBy(service, source.publicKey(), source)).token)
      const asked = yield* Effect.forEach(
        Array.from({ length: 14 }, (_, index) => `10.0.0.${index}`),
        (client) =>
          Effect.map(
            service.call("POST", "/close/plan", { source: source.publicKey() }, { ...open, "x-forwarded-for": client }),
            ({ status }) => status
          )
      )
      assert.deepStrictEqual(asked, [...Array.from({ length: 12 }, () => 200), 429, 429])
    }))

  bare.scoped("are gone with CLOSE_PAGE=off", () =>
    Effect.gen(function*() {
      const service = yield* startTestService({ CLOSE_PAGE: "off" })
      const missing = (method: string, path: string, body?: object) => Effect.map(service.call<ErrorBody>(method, path, body), codeOf)
      assert.deepStrictEqual(yield* missing("GET", "/close"), [404, "not_found"])
      const address = Keypair.random().publicKey()
      assert.deepStrictEqual(yield* missing("POST", "/close/challenge", { network: "testnet", address }), [404, "not_found"])
      assert.deepStrictEqual(yield* missing("POST", "/close/session", { network: "testnet", transaction: "AAAA" }), [404, "not_found"])
      for (const path of closeRoutes) assert.deepStrictEqual(yield* missing("POST", path, {}), [404, "not_found"])
    }))

  bare.scopedLive(
    "wait for SEP10_SECRET and PUBLIC_URL where a real network is served, and the page says so",
    () =>
      Effect.gen(function*() {
        const real = {
          MAINNET_RPC_URLS: "http://127.0.0.1:1",
          MAINNET_LEDGER_API_URLS: "http://127.0.0.1:1",
          NETWORK_SANDBOX: "testnet",
          API_KEYS: `x=lk_${"A".repeat(43)}`
        }
        const askedOf = (settings: Readonly<Record<string, string>>) =>
          Effect.gen(function*() {
            const service = yield* startTestService({ ...real, ...settings })
            const address = Keypair.random().publicKey()
            const page = yield* Effect.promise(async () => (await fetch(`${service.url}/close`)).text())
            const { status } = yield* service.call("POST", "/close/challenge", { network: "testnet", address })
            // The script of the page shows it as text.
            return [/&quot;state&quot;:&quot;(\w+)&quot;/.exec(page)?.[1], status]
          })
        assert.deepStrictEqual(yield* askedOf({ PUBLIC_URL: "https://close.example.org" }), ["unset", 404])
        const both = { PUBLIC_URL: "https://close.example.org", SEP10_SECRET: Keypair.random().secret() }
        assert.deepStrictEqual(yield* askedOf(both), ["on", 200])
      })
  )
})

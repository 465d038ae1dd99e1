import { assert, describe, it } from "@effect/vitest"
import { Account, Memo, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { contractsFile } from "../support/ContractsFile.ts"
import { layer } from "../support/Layered.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, type PlanBody, refusal, submit } from "./support/Client.ts"
import { deposits, registryFile } from "./support/Deposits.ts"
import { judged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { merging } from "./support/Outsiders.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

/** A service whose registry is valid until a day, with every deposit address funded. */
const withRegistry = (validUntil: string) =>
  Layer.scoped(
    Service,
    Effect.gen(function*() {
      const { file } = yield* registryFile(validUntil)
      const service = yield* startTestService({ EXCHANGE_REGISTRY_FILE: file })
      yield* service.on(fund("10", ...Object.values(deposits)))
      return service
    })
  )

const rightMemo = { text: "deposit", id: "77", hash: "ab".repeat(32), return: "cd".repeat(32) }

layer(withRegistry("2999-12-31"), { excludeTestServices: true })("a listed destination", (it) => {
  it.effect("is told to need the memo it credits by, and never offered for acknowledgement", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      for (const rule of ["text", "id", "hash", "return"] as const) {
        const destination = deposits[rule].publicKey()
        const { reasons, refusal: refused } = yield* judged({ source: source.publicKey(), destination })
        assert.deepStrictEqual(reasons, ["memo_required"])
        assert.deepStrictEqual(refused, {
          status: 422,
          code: "memo_required",
          details: { memoType: rule },
          retry: "after_fix",
          retryAfter: null
        })
        const acknowledgedAnyway = { source: source.publicKey(), destination, decisions: [acknowledges(destination)] }
        assert.strictEqual((yield* refusal("next", acknowledgedAnyway)).code, "memo_required")
        const { decisionPoints, unusedDecisions } = yield* plan(acknowledgedAnyway)
        assert.deepStrictEqual(decisionPoints.map(({ id }) => id), ["later"])
        assert.deepStrictEqual(unusedDecisions, [`destination:${destination}`])
      }
    }))

  it.effect("refuses a memo of another type, and one whose value its type does not allow", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const cases = [
        ["text", "x".repeat(29)],
        ["id", "2".repeat(21)],
        ["hash", "a".repeat(63)],
        ["return", "not hex"]
      ] as const
      for (const [rule, value] of cases) {
        const request = { source: source.publicKey(), destination: deposits[rule].publicKey() }
        const other = rule === "id" ? "text" : "id"
        for (const memo of [{ type: other, value: "77" } as const, { type: rule, value }, value]) {
          const refused = yield* refusal("next", { ...request, memo })
          assert.deepInclude(refused, { status: 400, code: "invalid_memo" }, JSON.stringify(memo))
          assert.strictEqual(refused.details["memoType"], rule)
        }
      }
    }))

  it.effect("gets a bare memo in the type it asks for", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      for (const rule of ["text", "id", "hash", "return"] as const) {
        const { source } = yield* on(Pair())
        const transaction = yield* offered({ source: source.publicKey(), destination: deposits[rule].publicKey(), memo: rightMemo[rule] })
        assert.deepStrictEqual(transaction.intent.memo, { type: rule, value: rightMemo[rule] })
        assert.strictEqual((yield* decoded(transaction)).memo.type, rule)
        yield* submit(yield* signed(transaction, source))
        assert.strictEqual(yield* accountOf(source), null)
      }
    }))

  it.effect("that credits without a memo takes a close without one", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const transaction = yield* offered({ source: source.publicKey(), destination: deposits.none.publicKey() })
      assert.strictEqual((yield* decoded(transaction)).memo.type, "none")
      yield* submit(yield* signed(transaction, source))
    }))

  it.effect("gets the memo on the merge alone, never beside a payment to somebody else", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { decision, issuer, source } = yield* on(HolderWithMarket())
      const request = { source: source.publicKey(), destination: deposits.id.publicKey(), memo: "77" }
      const asked = yield* plan(request)
      const burn = [echo(pointOf(asked, decision), "return_to_issuer")]
      const ready = yield* plan({ ...request, decisions: burn })
      assert.strictEqual(ready.estimate.transactionCount, 2)
      const first = yield* offered({ ...request, decisions: burn })
      assert.strictEqual((yield* decoded(first)).memo.type, "none")
      assert.deepStrictEqual([first.intent.memo, first.intent.guarantees.paymentsOnlyTo], [null, [issuer.publicKey()]])
      yield* submit(yield* signed(first, source))
      const second = yield* offered({ ...request, decisions: burn })
      assert.deepStrictEqual(second.intent.operations.map(({ type }) => type), ["account_merge"])
      assert.deepStrictEqual(second.intent.memo, { type: "id", value: "77" })
      yield* submit(yield* signed(second, source))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("gets the memo in one transaction with conversions, which pay nobody", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(HolderWithMarket())
      const request = { source: source.publicKey(), destination: deposits.id.publicKey(), memo: "77" }
      const decisions = answersTo(yield* plan(request), "convert_to_native")
      assert.strictEqual((yield* plan({ ...request, decisions })).estimate.transactionCount, 1)
      assert.deepStrictEqual((yield* offered({ ...request, decisions })).intent.memo, { type: "id", value: "77" })
    }))
})

layer(withRegistry("2020-06-01"), { excludeTestServices: true })("an expired registry", (it) => {
  it.effect("refuses every listed destination, memo or not, and says when it was good", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      for (const rule of ["text", "id", "hash", "return"] as const) {
        const request = { source: source.publicKey(), destination: deposits[rule].publicKey(), memo: rightMemo[rule] }
        const { reasons, refusal: refused } = yield* judged(request)
        assert.deepStrictEqual(reasons, ["registry_expired"])
        assert.deepInclude(refused, { status: 503, code: "registry_expired", details: { validUntil: "2020-06-01" } })
        assert.deepStrictEqual([refused.retry, refused.retryAfter], ["never", null])
      }
      const bare = { source: source.publicKey(), destination: deposits.mediated.publicKey() }
      assert.strictEqual((yield* refusal("next", bare)).code, "registry_expired")
    }))

  it.effect("refuses a signed merge into a listed destination at submit, and sends nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const signedXdr = yield* merging(source, deposits.id.publicKey(), { memo: Memo.id(rightMemo.id) })
      const refused = yield* refusal("submit", { signedXdr })
      assert.deepInclude(refused, { status: 503, code: "registry_expired", details: { validUntil: "2020-06-01" } })
      assert.isNotNull(yield* accountOf(source))
    }))

  it.effect("still takes an unlisted destination that is acknowledged, with a note and a warning", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.match(pointOf(asked, `destination:${destination.publicKey()}`).options[0]?.note ?? "", /expired/)
      assert.include(asked.warnings.map(({ code }) => code), "registry_expired")
      assert.strictEqual((yield* refusal("next", request)).code, "destination_not_acknowledged")
      yield* submit(yield* signed(yield* offered({ ...request, decisions: answersTo(asked) }), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))
})

describe("a listed destination that credits payments only", () => {
  it.scopedLive("needs the mediator, and is refused on a network that has none", () =>
    Effect.gen(function*() {
      const passphrase = "A network without a mediator"
      const { ledgerApiUrl, network, rpcUrl } = yield* startSandbox({ passphrase })
      const { file } = yield* registryFile("2999-12-31")
      const service = yield* startTestService({
        EXCHANGE_REGISTRY_FILE: file,
        NETWORK_SANDBOX: "testnet",
        MAINNET_RPC_URLS: rpcUrl,
        MAINNET_LEDGER_API_URLS: ledgerApiUrl,
        MAINNET_PASSPHRASE: passphrase,
        MAINNET_CONTRACTS_FILE: (yield* contractsFile("mainnet")).file,
        API_KEYS: `test=lk_${randomBytes(32).toString("base64url")}`
      })
      const { source } = yield* Effect.provideService(Pair(), Network, network)
      yield* Effect.provideService(fund("10", deposits.mediated), Network, network)
      const request = { source: source.publicKey(), destination: deposits.mediated.publicKey() }
      const asked = yield* service.call<PlanBody>("POST", "/v1/mainnet/close/plan", request)
      assert.deepStrictEqual([asked.status, asked.body.status], [200, "blocked"])
      assert.deepStrictEqual(asked.body.blockers.map(({ reason }) => reason), ["mediator_unavailable"])
      const refused = yield* service.call<ErrorBody>("POST", "/v1/mainnet/close/transactions", request)
      assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "mediator_not_configured"])
      assert.strictEqual(refused.body.error.details["retry"], "never")
      assert.isNull(refused.headers.get("retry-after"))
      const merge = new TransactionBuilder(new Account(source.publicKey(), "0"), { fee: "100", networkPassphrase: passphrase })
        .addOperation(Operation.accountMerge({ destination: deposits.mediated.publicKey() })).setTimeout(200).build()
      const signing = yield* service.call<ErrorBody>("POST", "/mainnet/mediator/sign", { transaction: merge.toXdr() })
      assert.deepStrictEqual([signing.status, signing.body.error.code], [503, "mediator_not_configured"])
    }))
})

describe("a registry file", () => {
  it.scopedLive("that cannot be read stops the start", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(startTestService({ EXCHANGE_REGISTRY_FILE: "/nowhere/registry.json" }))
      assert.strictEqual(exit._tag, "Failure")
    }))
})

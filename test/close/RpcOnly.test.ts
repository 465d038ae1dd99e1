import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import { closeAccount, signWithKey } from "../../src/client/Client.ts"
import type { AccountState } from "../../src/domain/Account.ts"
import type { AllowancesResult } from "../../src/domain/Allowance.ts"
import { showAmount } from "../../src/domain/Amount.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { xdrHex } from "../../src/xdr/XdrBytes.ts"
import { laterLedger, servingOf } from "../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo, pointOf } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { withoutLedgerApi } from "./support/RpcOnlyServing.ts"
import { Service } from "./support/Service.ts"
import { UnlistedEntries } from "./support/UnlistedEntries.ts"

const still = withoutLedgerApi(Serving.layerWith({ closeEvery: null, protocols: false, accounts: false, mediator: false }))

/** The id of the claimable balance that a transaction made. */
const balanceCreatedIn = ({ applied: { result } }: TransactionRecord): string => {
  const { result: outcome } = result
  const made = outcome.type === "txSuccess" ? outcome.results[0] : undefined
  const inner = made?.type === "opInner" && made.tr.type === "createClaimableBalance" ? made.tr.createClaimableBalanceResult : undefined
  return inner?.type === "createClaimableBalanceSuccess" ? xdrHex(inner.balanceId) : assert.fail("no balance was made")
}

const read = (address: string) =>
  Effect.flatMap(Service, ({ call }) => call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${address}`))

layer(Service.layer({}, still), { excludeTestServices: true })("a network without a ledger API", (it) => {
  it.effect("closes a plain account, once its owner accepts what is not listed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(FundedPair)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "needs_decisions")
      assert.include(asked.warnings.map(({ code }) => code), "not_listed")
      const required = asked.decisionPoints.filter((point) => point.required).map(({ id }) => id)
      assert.sameMembers(required, [`destination:${destination.publicKey()}`, "claims_unread", `issuer:${source.publicKey()}`])
      const { plan: ready, received, rounds } = yield* closeThrough({ source, destination })
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      const [transaction] = rounds.flatMap(({ transactions }) => transactions)
      const complete = yield* plan({ ...request, mergeHash: transaction!.hash })
      assert.deepStrictEqual([complete.status, complete.closed?.receivedLumens], ["complete", showAmount(received)])
      assert.include(complete.warnings.map(({ code }) => code), "history_only")
      const found = yield* plan(request)
      assert.deepStrictEqual([found.status, found.closed], ["complete", complete.closed])
      const elsewhere = yield* refusal("plan", { ...request, destination: Keypair.random().publicKey() })
      assert.deepInclude(elsewhere, { status: 404, code: "not_found" })
      assert.strictEqual(elsewhere.details["mergedInto"], destination.publicKey())
      const never = yield* refusal("plan", { source: Keypair.random().publicKey(), destination: destination.publicKey() })
      assert.deepInclude(never, { status: 404, code: "not_found" })
      assert.isNumber(never.details["searchedTo"])
    }))

  it.effect("closes an account whose own transactions name its trustlines, offers and data entries", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(DemoAccount)
      const { body } = yield* read(source.publicKey())
      assert.deepStrictEqual(
        [body.trustlines.length, body.openOffers.length, body.dataEntries.length, body.signers.length, body.subEntryMismatch],
        [3, 3, 5, 3, false]
      )
      const { plan: ready, received } = yield* closeThrough({ source, destination })
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
    }))

  it.effect("builds nothing over sub-entries that no transaction of its own names, until the request names them", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, helper, issuer, source, usd } = yield* on(UnlistedEntries)
      yield* on(perform("someone else's transaction gives it an offer", {
        as: helper,
        signedBy: [helper, source],
        operations: [
          Operation.manageSellOffer({ selling: Asset.native(), buying: usd, amount: "1", price: "1", source: source.publicKey() })
        ]
      }))
      const { body } = yield* read(source.publicKey())
      assert.deepStrictEqual([body.trustlines, body.openOffers, body.dataEntries, body.subEntryMismatch], [[], [], [], true])
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "blocked")
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["subentry_mismatch"])
      assert.include(asked.blockers[0]?.message ?? "", "`entries`")
      assert.deepInclude(yield* refusal("next", { ...request, decisions: answersTo(asked) }), { status: 422, code: "plan_blocked" })
      const { idPool } = (yield* Effect.flatMap(Service, ({ sandbox }) => sandbox.snapshot)).state.header
      const owner = source.publicKey()
      const line = `trustline:${owner}:USD-${issuer.publicKey()}`
      const some = yield* plan({ ...request, entries: [line, `data_entry:${owner}:a:b`] })
      assert.strictEqual(some.status, "blocked")
      const entries = [line, `data_entry:${owner}:a:b`, `offer:${owner}:${idPool}`]
      const { plan: ready, received } = yield* closeThrough({ source, destination, asked: { entries } })
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
    }))

  it.effect("never passes over a claimable balance in silence: it is claimed where it is named, and given up by decision alone", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: giver } = yield* on(Pair())
      const made = yield* on(perform("someone gives it 40 lumens to claim", {
        as: giver,
        operations: [
          Operation.createClaimableBalance({ asset: Asset.native(), amount: "40", claimants: [new Claimant(source.publicKey())] })
        ]
      }))
      const id = balanceCreatedIn(made)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const { body } = yield* read(source.publicKey())
      assert.deepStrictEqual(body.claimableBalances, [])
      assert.include(body.warnings?.map(({ code }) => code), "not_listed")
      const asked = yield* plan(request)
      assert.isTrue(pointOf(asked, "claims_unread").required)
      const answers = answersTo(asked).filter((one) => one.id !== "claims_unread")
      assert.deepInclude(yield* refusal("next", { ...request, decisions: answers }), { status: 422, code: "needs_decisions" })
      const entries = [`claimable_balance:${id}`]
      const named = yield* plan({ ...request, entries })
      assert.strictEqual(pointOf(named, `claim:${id}`).default, "claim")
      const { key, ledger, passphrase, url } = yield* Service
      const { closed, transactions } = yield* Effect.promise(() =>
        closeAccount({
          baseUrl: url,
          apiKey: key,
          network: "testnet",
          networkPassphrase: passphrase,
          ...request,
          entries,
          witness: { rpcUrl: ledger.rpcUrl },
          decide: ({ options }) => options[0]?.id,
          sign: signWithKey(source)
        }).promise()
      )
      assert.lengthOf(transactions, 1)
      assert.isTrue(Number(closed.receivedLumens) > 139, `${closed.receivedLumens}`)
    }))

  it.effect("closes no sponsor over an entry that nothing names, and gives up those that its own transactions or the request name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: ward } = yield* on(Pair())
      const { source: helper } = yield* on(Pair())
      const sponsored = (name: string, as: Keypair) =>
        perform("the source sponsors a data entry of its ward", {
          as,
          signedBy: [...new Set([as, source, ward])],
          operations: [
            Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey(), source: source.publicKey() }),
            Operation.manageData({ name, value: "entry", source: ward.publicKey() }),
            Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
          ]
        })
      yield* on(sponsored("own", source))
      const { body } = yield* read(source.publicKey())
      assert.deepStrictEqual(body.sponsoredEntries, [{ kind: "data_entry", owner: ward.publicKey(), name: "own" }])
      assert.isFalse(body.sponsorshipEnumerationIncomplete)
      yield* on(sponsored("foreign", helper))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["sponsorship_incomplete"])
      assert.include(asked.blockers[0]?.message ?? "", "`entries`")
      const entries = [`data_entry:${ward.publicKey()}:foreign`]
      yield* closeThrough({ source, destination, asked: { entries } })
    }))

  it.effect("refuses a name that is none, and fails where only a ledger API could answer", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      for (
        const wrong of ["trustline:USD", `offer:${request.source}:0`, `data_entry:${request.source}:`, "claimable_balance:00", "pool:1"]
      ) {
        assert.deepInclude(yield* refusal("plan", { ...request, entries: [wrong] }), { status: 400, code: "invalid_body" }, wrong)
      }
      const issuer = Keypair.random()
      const paths = yield* call<{ readonly error: { readonly code: string } }>(
        "GET",
        `/testnet/paths?fromAsset=USD:${issuer.publicKey()}&amount=1`
      )
      assert.deepStrictEqual([paths.status, paths.body.error.code], [503, "network_unavailable"])
      const allowances = yield* call<Schema.Schema.Encoded<typeof AllowancesResult>>("GET", `/testnet/allowances/${request.source}`)
      assert.deepInclude(allowances.body.coverage.find((one) => one.source === "registry"), { status: "skipped" })
      assert.include(allowances.body.warnings.map(({ code }) => code), "not_listed")
      const health = yield* call<{ readonly status: string; readonly details: Record<string, { readonly message?: string }> }>(
        "GET",
        "/health/deep"
      )
      assert.strictEqual(health.body.status, "ok")
      assert.include(health.body.details["ledger_api_testnet"]?.message, "RPC-only")
    }))
})

layer(Service.layer({}, withoutLedgerApi(servingOf(["lend_1"]))), { excludeTestServices: true })(
  "a lender's network without a ledger API",
  (it) => {
    it.effect("has the doubt about unread events lifted by an own history that was read to its start, which has no creation in it", () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        yield* sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
        const { destination, source } = yield* on(LendingNewcomer)
        yield* laterLedger
        yield* on(perform("an entry is written", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] }))
        const { blockers } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
        assert.notInclude(blockers.map(({ reason }) => reason), "positions_unread")
      }))
  }
)

import { assert, it } from "@effect/vitest"
import { Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { get, post, startWithClients } from "../Clients.ts"

it.scopedLive("a merged account is gone, its history is not", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const [id, to] = [source.publicKey(), destination.publicKey()]
    const merge = yield* on(perform("merge", { as: source, operations: [Operation.accountMerge({ destination: to })] }))
    assert.strictEqual((yield* get(`${ledgerApiUrl}/accounts/${id}`)).status, 404)
    const { records } = yield* Effect.promise(() => ledgerApi.transactions().forAccount(id).call())
    assert.deepStrictEqual(records.map(({ ledger_attr }) => ledger_attr), [2, 3])
    assert.strictEqual(records[1]?.hash, merge.facts.hash)
    const ofOther = yield* Effect.promise(() => ledgerApi.transactions().forAccount(to).order("desc").limit(1).call())
    assert.strictEqual(ofOther.records[0]?.hash, merge.facts.hash)
    const offers = yield* Effect.promise(() => ledgerApi.offers().seller(id).call())
    assert.deepStrictEqual(offers.records, [])
    const never = yield* Effect.promise(() => ledgerApi.transactions().forAccount(Keypair.random().publicKey()).call())
    assert.deepStrictEqual(never.records, [])
  }))

it.scopedLive("a fee bump is found by either hash, each time under the hash asked for", () =>
  Effect.gen(function*() {
    const { ledgerApi, network, on, passphrase } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const inner = new TransactionBuilder(sourceAccount(yield* network.snapshot, source.publicKey()), {
      fee: "100",
      networkPassphrase: passphrase
    })
      .addOperation(Operation.accountMerge({ destination: destination.publicKey() }))
      .setTimeout(0)
      .build()
    inner.sign(source)
    const bump = TransactionBuilder.buildFeeBumpTransaction(destination, "250", inner, passphrase)
    bump.sign(destination)
    const [outerHash, innerHash] = [bump, inner].map((each) => Buffer.from(each.hash()).toString("hex"))
    const submitted = yield* Effect.promise(() => ledgerApi.submitTransaction(bump))
    assert.strictEqual(submitted.hash, outerHash)
    for (const hash of [outerHash, innerHash]) {
      const found = yield* Effect.promise(() => ledgerApi.transactions().transaction(hash ?? "").call())
      assert.deepStrictEqual(
        [found.hash, found.successful, found.fee_account, found.fee_charged, found.max_fee, found.source_account],
        [hash, true, destination.publicKey(), "200", "500", source.publicKey()]
      )
      assert.deepStrictEqual([found.fee_bump_transaction?.hash, found.inner_transaction?.hash], [outerHash, innerHash])
      assert.strictEqual(found.inner_transaction?.max_fee, "100")
    }
    const again = yield* Effect.promise(() => ledgerApi.submitTransaction(bump))
    assert.strictEqual(again.ledger, submitted.ledger)
  }))

it.scopedLive("refuses what it cannot serve: types, names that are none, what is not there", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl } = yield* startWithClients()
    const ask = (path: string, accept: string) =>
      Effect.promise(async () => {
        const response = await fetch(`${ledgerApiUrl}${path}`, { headers: { accept } })
        return [response.status, JSON.parse(await response.text()).type?.split("/").at(-1)]
      })
    assert.deepStrictEqual(yield* ask("/ledgers", "text/html"), [406, "not_acceptable"])
    assert.deepStrictEqual(yield* ask("/ledgers", "text/event-stream"), [406, "not_acceptable"])
    for (const accept of ["*/*", "application/hal+json", "text/html, application/json;q=0.5"]) {
      assert.deepStrictEqual(yield* ask("/ledgers", accept), [200, undefined], accept)
    }
    const json = yield* post(`${ledgerApiUrl}/transactions`, "{}")
    assert.deepStrictEqual([json.status, JSON.parse(json.text).type.split("/").at(-1)], [415, "unsupported_media_type"])
    assert.strictEqual((yield* post(`${ledgerApiUrl}/transactions_async`, "{}")).status, 415)
    const G = Keypair.random().publicKey()
    const refusals: ReadonlyArray<readonly [path: string, status: number, field?: string]> = [
      ["/accounts/GABC", 400, "account_id"],
      [`/accounts/${G}`, 404],
      [`/accounts/${G}/data/name`, 404],
      ["/accounts/GABC/offers", 400, "account_id"],
      ["/accounts/GABC/transactions", 400, "account_id"],
      ["/accounts?sponsor=x", 400, "sponsor"],
      ["/accounts", 400],
      ["/offers/0", 400, "offer_id"],
      ["/offers/9", 404],
      ["/offers?seller=x", 400, "seller"],
      ["/claimable_balances/00", 400, "claimable_balance_id"],
      ["/claimable_balances?claimant=x", 400, "claimant"],
      ["/claimable_balances?asset=USD", 400, "asset"],
      ["/liquidity_pools/zz", 400],
      [`/liquidity_pools/${"0".repeat(64)}`, 404],
      ["/transactions/zz", 400, "tx_id"],
      [`/transactions/${"0".repeat(64)}`, 404],
      ["/ledgers/0", 400, "ledger_id"],
      ["/ledgers/99", 404],
      ["/paths/strict-send?source_asset_type=native", 400],
      ["/nothing", 404]
    ]
    for (const [path, status, field] of refusals) {
      const answer = yield* get(`${ledgerApiUrl}${path}`)
      const problem = JSON.parse(answer.text)
      assert.deepStrictEqual([answer.status, problem.status], [status, status], path)
      assert.include(answer.headers.get("content-type"), "application/problem+json")
      assert.include(problem.type, "https://stellar.org/horizon-errors/")
      if (field !== undefined) assert.strictEqual(problem.extras.invalid_field, field, path)
    }
  }))

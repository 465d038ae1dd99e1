import { assert, it } from "@effect/vitest"
import {
  Asset,
  BadResponseError,
  Claimant,
  Keypair,
  NotFoundError,
  Operation,
  SignerKey,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { get, post, readProtocol, refused, startWithClients } from "../Clients.ts"

const Problem = Schema.parseJson(
  Schema.Struct({
    type: Schema.String,
    status: Schema.Number,
    extras: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  })
)
const problem = Schema.decodeSync(Problem)

it.scopedLive("describes the network and its ledgers", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, network, passphrase } = yield* startWithClients()
    yield* network.closeLedger()
    const root = yield* Effect.promise(() => ledgerApi.root())
    assert.strictEqual(root.network_passphrase, passphrase)
    assert.strictEqual(root.history_latest_ledger, 2)
    assert.strictEqual(root.current_protocol_version, readProtocol)
    const { records } = yield* Effect.promise(() => ledgerApi.ledgers().order("desc").limit(1).call())
    assert.deepStrictEqual(
      records.map(({ base_fee_in_stroops, base_reserve_in_stroops, sequence }) => [sequence, base_fee_in_stroops, base_reserve_in_stroops]),
      [[2, 100, 5_000_000]]
    )
    const one = yield* get(`${ledgerApiUrl}/ledgers/2`)
    assert.strictEqual(xdr.LedgerHeader.fromXdr(JSON.parse(one.text).header_xdr, "base64").ledgerSeq, 2)
    const headerOf = (path: string, name: string) => Effect.map(get(`${ledgerApiUrl}${path}`), ({ headers }) => headers.get(name))
    const state = ["/offers", "/claimable_balances", "/liquidity_pools", "/assets", `/accounts?signer=${network.root.publicKey()}`]
    const history = ["/", "/ledgers", "/transactions", "/fee_stats", "/nothing"]
    assert.deepStrictEqual(yield* Effect.forEach(state, (path) => headerOf(path, "latest-ledger")), state.map(() => "2"))
    assert.deepStrictEqual(yield* Effect.forEach(history, (path) => headerOf(path, "latest-ledger")), history.map(() => null))
    for (const header of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
      assert.strictEqual(yield* headerOf("/nothing", header), "3600")
    }
    assert.strictEqual(yield* Effect.promise(() => ledgerApi.fetchBaseFee()), 100)
    const stats = yield* Effect.promise(() => ledgerApi.feeStats())
    assert.strictEqual(stats.max_fee.p99, "100")
    assert.strictEqual(stats.last_ledger, "2")
  }))

it.scopedLive("shows an account whole", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { assets, cosigner, preimage, source } = yield* on(DemoAccount)
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(source.publicKey()))
    assert.strictEqual(account.subentry_count, 13)
    assert.deepStrictEqual({ ...account.thresholds }, { low_threshold: 1, med_threshold: 2, high_threshold: 3 })
    assert.deepStrictEqual(
      account.signers.map(({ key, type, weight }) => [key, type, weight]).toSorted(),
      [
        [source.publicKey(), "ed25519_public_key", 3],
        [cosigner.publicKey(), "ed25519_public_key", 1],
        [hashSigner(preimage), "sha256_hash", 1]
      ].toSorted()
    )
    const held = account.balances.map((balance) =>
      "asset_code" in balance
        ? [balance.asset_code, balance.balance, balance.buying_liabilities, balance.selling_liabilities, balance.is_authorized]
        : [balance.asset_type, balance.balance]
    )
    const native = account.balances.find(({ asset_type }) => asset_type === "native")
    assert.deepStrictEqual(held, [
      [assets.pooled.getCode(), "80.2500000", "15.0000000", "0.0000000", true],
      [assets.booked.getCode(), "250.5000000", "6.0000000", "20.0000000", true],
      [assets.stranded.getCode(), "12.0000000", "0.0000000", "0.0000000", true],
      ["native", native?.balance]
    ])
    assert.isTrue(native !== undefined && "selling_liabilities" in native && native.selling_liabilities === "32.5000000")
    assert.deepStrictEqual(Object.keys(account.data_attr), ["contact", "note.1", "note.2", "profile", "settings"])
    const data = yield* get(`${ledgerApiUrl}/accounts/${source.publicKey()}/data/contact`)
    assert.deepStrictEqual(JSON.parse(data.text), { value: Buffer.from("entry 2").toString("base64") })
    assert.strictEqual((yield* get(`${ledgerApiUrl}/accounts/${source.publicKey()}/data/none`)).status, 404)
    const { records } = yield* Effect.promise(() => account.offers())
    assert.lengthOf(records, 3)
    const mine = yield* Effect.promise(() => account.transactions({ limit: 200 }))
    assert.lengthOf(mine.records, 5)
    const missing = yield* refused(() => ledgerApi.loadAccount(Keypair.random().publicKey()))
    assert.instanceOf(missing, NotFoundError)
  }))

const hashSigner = (preimage: Uint8Array): string =>
  SignerKey.encodeSignerKey(xdr.SignerKey.signerKeyTypeHashX(createHash("sha256").update(preimage).digest()))

it.scopedLive("lists accounts by signer, asset, pool and sponsor", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { assets, cosigner, maker, poolId, preimage, source } = yield* on(DemoAccount)
    const ids = (call: Promise<{ records: ReadonlyArray<{ account_id: string }> }>) =>
      Effect.map(Effect.promise(() => call), ({ records }) => records.map(({ account_id }) => account_id))
    assert.deepStrictEqual(yield* ids(ledgerApi.accounts().forSigner(cosigner.publicKey()).call()), [source.publicKey()])
    assert.deepStrictEqual(yield* ids(ledgerApi.accounts().forSigner(hashSigner(preimage)).call()), [source.publicKey()])
    assert.deepStrictEqual(
      yield* ids(ledgerApi.accounts().forAsset(assets.booked).call()),
      [source.publicKey(), maker.publicKey()].toSorted()
    )
    assert.deepStrictEqual(yield* ids(ledgerApi.accounts().forLiquidityPool(poolId).call()), [maker.publicKey()])
    assert.deepStrictEqual(yield* ids(ledgerApi.accounts().sponsor(source.publicKey()).call()), [])
    yield* on(perform("a sponsored line, entry and offer", {
      as: source,
      signedBy: [source, maker],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: maker.publicKey() }),
        Operation.changeTrust({ asset: assets.stranded, source: maker.publicKey() }),
        Operation.manageData({ name: "sponsored", value: "yes", source: maker.publicKey() }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: assets.stranded, amount: "1", price: "5", source: maker.publicKey() }),
        Operation.endSponsoringFutureReserves({ source: maker.publicKey() })
      ]
    }))
    const [sponsored] = (yield* Effect.promise(() => ledgerApi.accounts().sponsor(source.publicKey()).call())).records
    assert.strictEqual(sponsored?.account_id, maker.publicKey())
    const line = sponsored?.balances.find((balance) => "asset_code" in balance && balance.asset_code === assets.stranded.getCode())
    assert.isTrue(line !== undefined && "sponsor" in line && line.sponsor === source.publicKey())
    assert.strictEqual(sponsored?.num_sponsored, 3)
    const entry = yield* get(`${ledgerApiUrl}/accounts/${maker.publicKey()}/data/sponsored`)
    assert.deepStrictEqual(JSON.parse(entry.text), { value: Buffer.from("yes").toString("base64"), sponsor: source.publicKey() })
    const offers = yield* Effect.promise(() => ledgerApi.offers().sponsor(source.publicKey()).call())
    assert.deepStrictEqual(offers.records.map(({ seller }) => seller), [maker.publicKey()])
    const both = yield* get(`${ledgerApiUrl}/accounts?sponsor=${source.publicKey()}&signer=${source.publicKey()}`)
    assert.strictEqual(both.status, 400)
    assert.include(problem(both.text).type, "invalid_accounts_params")
  }))

it.scopedLive("lists offers by seller and pair, and sums up the book", () =>
  Effect.gen(function*() {
    const { ledgerApi, on } = yield* startWithClients()
    const { assets, maker, source } = yield* on(DemoAccount)
    const own = yield* Effect.promise(() => ledgerApi.offers().seller(source.publicKey()).order("desc").call())
    assert.lengthOf(own.records, 3)
    const pair = yield* Effect.promise(() => ledgerApi.offers().selling(assets.booked).buying(Asset.native()).call())
    assert.deepStrictEqual(pair.records.map(({ amount, price }) => [amount, price]), [
      ["1000.0000000", "2.5500000"],
      ["1000.0000000", "2.6000000"],
      ["20.0000000", "3.0000000"]
    ])
    const id = String(pair.records[0]?.id)
    const one = yield* Effect.promise(() => ledgerApi.offers().offer(id).call())
    assert.strictEqual(one.seller, maker.publicKey())
    assert.deepStrictEqual(one.price_r, { n: 51, d: 20 })
    const book = yield* Effect.promise(() => ledgerApi.orderbook(assets.booked, Asset.native()).call())
    assert.deepStrictEqual(book.asks.map(({ amount, price }) => [price, amount]), [
      ["2.5500000", "1000.0000000"],
      ["2.6000000", "1000.0000000"],
      ["3.0000000", "20.0000000"]
    ])
    assert.deepStrictEqual(book.bids.map(({ amount, price }) => [price, amount]), [
      ["2.5000000", "2000.0000000"],
      ["2.4390244", "2000.0000000"],
      ["2.3809524", "2000.0000000"],
      ["1.6666667", "10.0000000"]
    ])
  }))

it.scopedLive("pages with links, forwards and back, also past the end", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { maker } = yield* on(DemoAccount)
    const first = yield* Effect.promise(() => ledgerApi.offers().seller(maker.publicKey()).limit(2).call())
    const second = yield* Effect.promise(() => first.next())
    const third = yield* Effect.promise(() => second.next())
    const past = yield* Effect.promise(() => third.next())
    assert.deepStrictEqual([first, second, third, past].map(({ records }) => records.length), [2, 2, 1, 0])
    const ids = [first, second, third].flatMap(({ records }) => records.map(({ id }) => Number(id)))
    assert.deepStrictEqual(ids, ids.toSorted((left, right) => left - right))
    assert.strictEqual(new Set(ids).size, 5)
    const back = yield* Effect.promise(() => second.prev())
    assert.deepStrictEqual(back.records.map(({ id }) => Number(id)), ids.slice(0, 2).toReversed())
    assert.strictEqual((yield* Effect.promise(() => past.next())).records.length, 0)
    for (const query of ["limit=0", "limit=201", "limit=x", "order=up", "cursor=x"]) {
      const answer = yield* get(`${ledgerApiUrl}/offers?${query}`)
      assert.strictEqual(answer.status, 400, query)
      assert.strictEqual(answer.headers.get("content-type"), "application/problem+json; charset=utf-8")
      assert.strictEqual(problem(answer.text).extras?.["invalid_field"], query.split("=")[0])
    }
  }))

it.scopedLive("shows claimable balances with their predicates", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    yield* on(perform("create claimable balances", {
      as: source,
      operations: [
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "5",
          claimants: [
            new Claimant(destination.publicKey(), Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime("253402300800"))),
            new Claimant(source.publicKey())
          ]
        }),
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "0.0000001",
          claimants: [
            new Claimant(
              source.publicKey(),
              Claimant.predicateAnd(
                Claimant.predicateBeforeAbsoluteTime("1893456000"),
                Claimant.predicateOr(Claimant.predicateUnconditional(), Claimant.predicateUnconditional())
              )
            )
          ]
        })
      ]
    }))
    const mine = yield* Effect.promise(() => ledgerApi.claimableBalances().claimant(destination.publicKey()).call())
    const [balance] = mine.records
    assert.lengthOf(mine.records, 1)
    assert.deepStrictEqual(
      [balance?.amount, balance?.asset, balance?.sponsor, balance?.id.length, balance?.last_modified_ledger],
      ["5.0000000", "native", source.publicKey(), 72, 3]
    )
    assert.deepStrictEqual(balance?.claimants.find((one) => one.destination === destination.publicKey())?.predicate, {
      not: { abs_before: "+10000-01-01T00:00:00Z", abs_before_epoch: "253402300800" }
    })
    const sponsored = yield* Effect.promise(() => ledgerApi.claimableBalances().sponsor(source.publicKey()).limit(1).call())
    const rest = yield* Effect.promise(() => sponsored.next())
    assert.deepStrictEqual([sponsored.records.length, rest.records.length], [1, 1])
    const dust = [...sponsored.records, ...rest.records].find(({ amount }) => amount === "0.0000001")
    assert.deepStrictEqual(dust?.claimants[0]?.predicate, {
      and: [
        { abs_before: "2030-01-01T00:00:00Z", abs_before_epoch: "1893456000" },
        { or: [{ unconditional: true }, { unconditional: true }] }
      ]
    })
    const one = yield* Effect.promise(() => ledgerApi.claimableBalances().claimableBalance(balance?.id ?? "").call())
    assert.strictEqual(one.id, balance?.id)
    const none = yield* get(`${ledgerApiUrl}/claimable_balances/${"0".repeat(72)}`)
    assert.strictEqual(none.status, 404)
  }))

it.scopedLive("shows pools and assets", () =>
  Effect.gen(function*() {
    const { ledgerApi, on } = yield* startWithClients()
    const { assets, issuer, maker, poolId } = yield* on(DemoAccount)
    const expected = [
      { asset: "native", amount: "20000.0000000" },
      { asset: `${assets.pooled.getCode()}:${issuer.publicKey()}`, amount: "10000.0000000" }
    ]
    const pool = yield* Effect.promise(() => ledgerApi.liquidityPools().liquidityPoolId(poolId).call())
    assert.deepStrictEqual(pool.reserves, expected)
    assert.strictEqual(pool.fee_bp, 30)
    assert.strictEqual(pool.total_shares, "14142.1356237")
    const byPair = yield* Effect.promise(() => ledgerApi.liquidityPools().forAssets(Asset.native(), assets.pooled).call())
    assert.deepStrictEqual(byPair.records.map(({ id }) => id), [poolId])
    const byHolder = yield* Effect.promise(() => ledgerApi.liquidityPools().forAccount(maker.publicKey()).call())
    assert.deepStrictEqual(byHolder.records.map(({ id }) => id), [poolId])
    const byOther = yield* Effect.promise(() => ledgerApi.liquidityPools().forAccount(issuer.publicKey()).call())
    assert.deepStrictEqual(byOther.records, [])
    const issued = yield* Effect.promise(() => ledgerApi.assets().forIssuer(issuer.publicKey()).call())
    assert.deepStrictEqual(
      issued.records.map((
        record
      ) => [record.asset_code, record.accounts.authorized, record.balances.authorized, record.liquidity_pools_amount]),
      [
        [assets.pooled.getCode(), 2, "80.2500000", "10000.0000000"],
        [assets.booked.getCode(), 2, "10250.5000000", "0.0000000"],
        [assets.stranded.getCode(), 1, "12.0000000", "0.0000000"]
      ]
    )
  }))

it.scopedLive("submits a transaction and waits for its ledger", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on, passphrase } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(source.publicKey()))
    const build = (operation: xdr.Operation) => {
      const transaction = new TransactionBuilder(account, { fee: "200", networkPassphrase: passphrase })
        .addOperation(operation)
        .setTimeout(300)
        .build()
      transaction.sign(source)
      return transaction
    }
    const payment = build(Operation.payment({ destination: destination.publicKey(), asset: Asset.native(), amount: "1" }))
    const done = yield* Effect.promise(() => ledgerApi.submitTransaction(payment))
    assert.isTrue(done.successful)
    assert.strictEqual(done.ledger, 3)
    const hash = Buffer.from(payment.hash()).toString("hex")
    const repeated = yield* Effect.promise(() => ledgerApi.submitTransaction(payment))
    assert.strictEqual(repeated.hash, hash)
    assert.strictEqual(repeated.ledger, 3)
    const found = yield* Effect.promise(() => ledgerApi.transactions().transaction(hash).call())
    assert.strictEqual(found.fee_charged, "100")
    assert.strictEqual(found.max_fee, "200")
    assert.strictEqual(xdr.TransactionMeta.fromXdr(found.result_meta_xdr, "base64").type, "v4")
    assert.lengthOf(xdr.decodeArray(xdr.LedgerEntryChange, found.fee_meta_xdr, "base64"), 2)

    const tooMuch = build(Operation.payment({ destination: destination.publicKey(), asset: Asset.native(), amount: "5000" }))
    const failure = yield* refused(() => ledgerApi.submitTransaction(tooMuch))
    assert.instanceOf(failure, BadResponseError)
    const envelope = tooMuch.toEnvelope().toXdr("base64")
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const raw = yield* post(`${ledgerApiUrl}/transactions`, `tx=${encodeURIComponent(envelope)}`, form)
    assert.strictEqual(raw.status, 400)
    assert.deepStrictEqual(problem(raw.text).extras?.["result_codes"], { transaction: "tx_failed", operations: ["op_underfunded"] })
    assert.strictEqual(problem(raw.text).extras?.["envelope_xdr"], envelope)
    const failed = yield* get(`${ledgerApiUrl}/transactions/${Buffer.from(tooMuch.hash()).toString("hex")}`)
    assert.isFalse(JSON.parse(failed.text).successful)

    const stale = build(Operation.bumpSequence({ bumpTo: "0" }))
    yield* on(perform("something else first", { as: source, operations: [Operation.bumpSequence({ bumpTo: "0" })] }))
    const refusal = yield* post(`${ledgerApiUrl}/transactions`, `tx=${encodeURIComponent(stale.toEnvelope().toXdr("base64"))}`, form)
    assert.deepStrictEqual(problem(refusal.text).extras?.["result_codes"], { transaction: "tx_bad_seq" })
    const broken = yield* post(`${ledgerApiUrl}/transactions`, "tx=AAAA", form)
    assert.include(problem(broken.text).type, "transaction_malformed")
    assert.strictEqual((yield* post(`${ledgerApiUrl}/transactions`, "{}")).status, 415)
  }))

it.scopedLive("submits without waiting and says what the queue said", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, network, on, passphrase } = yield* startWithClients({ closeOnSubmit: false })
    const { source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(source.publicKey()))
    const build = () => {
      const transaction = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
        .addOperation(Operation.bumpSequence({ bumpTo: "0" }))
        .setTimeout(300)
        .build()
      transaction.sign(source)
      return transaction
    }
    const [first, second] = [build(), build()]
    const answers = yield* Effect.forEach([first, first, second], (transaction) =>
      post(`${ledgerApiUrl}/transactions_async`, `tx=${encodeURIComponent(transaction.toEnvelope().toXdr("base64"))}`, {
        "content-type": "application/x-www-form-urlencoded"
      }))
    assert.deepStrictEqual(
      answers.map(({ status, text }) => [status, JSON.parse(text).tx_status]),
      [[201, "PENDING"], [409, "DUPLICATE"], [503, "TRY_AGAIN_LATER"]]
    )
    yield* network.closeLedger()
    const found = yield* Effect.promise(() =>
      ledgerApi.transactions().transaction(Buffer.from(first.hash()).toString("hex")).call()
    )
    assert.isTrue(found.successful)
  }))

it.scopedLive("funds accounts", () =>
  Effect.gen(function*() {
    const { contractRpc, friendbotUrl, ledgerApi } = yield* startWithClients()
    const [one, two, three] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const created = yield* Effect.promise(() => contractRpc.requestAirdrop(one.publicKey()))
    assert.strictEqual(created.sequenceNumber(), (2n << 32n).toString())
    yield* Effect.promise(() => Promise.all([two, three].map((keys) => contractRpc.fundAddress(keys.publicKey()))))
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(three.publicKey()))
    assert.strictEqual(account.balances[0]?.balance, "10000.0000000")
    const again = yield* get(`${friendbotUrl}?addr=${one.publicKey()}`)
    assert.strictEqual(again.status, 400)
    assert.strictEqual((yield* get(`${friendbotUrl}?addr=x`)).status, 400)
  }))

it.scopedLive("closes ledgers on request", () =>
  Effect.gen(function*() {
    const { contractRpc, ledgerApiUrl } = yield* startWithClients()
    const before = yield* Effect.promise(() => contractRpc.getLatestLedger())
    const closed = yield* post(`${ledgerApiUrl}/sandbox/ledger`, JSON.stringify({ closeSeconds: 86_400 }))
    assert.strictEqual(closed.status, 200)
    const after = yield* Effect.promise(() => contractRpc.getLatestLedger())
    assert.strictEqual(after.sequence, before.sequence + 1)
    assert.strictEqual(Number(after.closeTime), Number(before.closeTime) + 86_400)
    assert.strictEqual((yield* post(`${ledgerApiUrl}/sandbox/ledger`, "")).status, 200)
    assert.strictEqual((yield* post(`${ledgerApiUrl}/sandbox/ledger`, "{\"closeSeconds\":0}")).status, 400)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/sandbox/ledger`)).status, 404)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/nothing/here`)).status, 404)
  }))

it.scopedLive("lists failed transactions only when asked, and says when history is gone", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, network, on } = yield* startWithClients({ retention: 3 })
    const { source } = yield* on(FundedPair)
    const gone = Keypair.random().publicKey()
    yield* Effect.either(on(perform("a merge into nothing", { as: source, operations: [Operation.accountMerge({ destination: gone })] })))
    const succeeded = yield* Effect.promise(() => ledgerApi.transactions().forAccount(source.publicKey()).call())
    const all = yield* Effect.promise(() => ledgerApi.transactions().forAccount(source.publicKey()).includeFailed(true).call())
    assert.deepStrictEqual([succeeded.records.length, all.records.length], [1, 2])
    const token = all.records[0]?.paging_token
    yield* Effect.replicateEffect(network.closeLedger(), 4)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/transactions?cursor=${token}`)).status, 410)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/ledgers/2`)).status, 410)
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(source.publicKey()))
    assert.strictEqual(account.last_modified_ledger, 3)
    assert.isUndefined(account.last_modified_time)
  }))

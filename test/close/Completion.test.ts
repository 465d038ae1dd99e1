import { assert, layer } from "@effect/vitest"
import { Asset, Claimant, Keypair, Memo, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "./support/Accounts.ts"
import { type Asked, next, plan, refusal } from "./support/Client.ts"
import { type Lie, Liars, lying, lyingService, type Told } from "./support/LyingSources.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

const former = Keypair.random()

const fee = 200n

const native = Asset.native()

const lumens = (stroops: bigint): string => `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, "0")}`

/** Transactions of others that concern an account, so many. */
const noise = (address: string, count: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { source: stranger } = yield* on(Pair("1000"))
    for (let at = 0; at < count; at++) {
      yield* on(perform("a stranger's dust", {
        as: stranger,
        operations: [Operation.createClaimableBalance({ asset: native, amount: "0.0000001", claimants: [new Claimant(address)] })]
      }))
    }
  })

/** The record of a merge and a payment behind it, both signed. */
const mergedAndPaid = (source: Keypair, through: Keypair, destination: string, amount: bigint, memo?: Memo) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    return yield* on(perform("a merge, and a payment behind it", {
      as: source,
      signedBy: [source, through],
      operations: [
        Operation.accountMerge({ destination: through.publicKey() }),
        Operation.payment({ source: through.publicKey(), destination, asset: native, amount: lumens(amount) })
      ],
      ...(memo === undefined ? {} : { memo })
    }))
  })

const merged = (source: Keypair, destination: string, memo?: Memo) =>
  Effect.flatMap(Service, ({ on }) =>
    on(perform("a merge", { as: source, operations: [Operation.accountMerge({ destination })], ...(memo === undefined ? {} : { memo }) })))

const hashOf = ({ facts }: TransactionRecord): string => facts.hash

/** Both close routes refuse alike; the details. */
const notFound = (request: Asked) =>
  Effect.gen(function*() {
    const [planned, built] = [yield* refusal("plan", request), yield* refusal("next", request)]
    assert.deepInclude(planned, { status: 404, code: "not_found" })
    assert.deepStrictEqual(built, planned)
    return planned.details
  })

const complete = (request: Asked) =>
  Effect.gen(function*() {
    const planned = yield* plan(request)
    assert.strictEqual(planned.status, "complete")
    assert.strictEqual((yield* next(request)).status, "complete")
    return planned.warnings.map(({ code }) => code)
  })

/** What the plan route says: its status, or the code of its refusal. */
const outcome = (request: Asked) =>
  Effect.flatMap(Service, ({ call }) => call<{ readonly status?: string; readonly error?: { readonly code: string } }>("POST", "/v1/testnet/close/plan", request)).pipe(
    Effect.map(({ body }) => body.status ?? body.error?.code)
  )

const pair = Effect.flatMap(Service, ({ on }) => on(Pair()))

type Body = Readonly<Record<string, unknown>>

const bodyOf = ({ body }: Told): Body => body as Body

/** The ledger API with other transactions of an account; the rest as it is. */
const withHistory = (address: string, change: (records: ReadonlyArray<Body>, asked: URLSearchParams) => ReadonlyArray<Body>): Lie => (asked, honest) => {
  const url = new URL(asked, "http://api.invalid")
  if (url.pathname !== `/accounts/${address}/transactions`) return honest
  const { records } = bodyOf(honest)["_embedded"] as { readonly records: ReadonlyArray<Body> }
  return { ...honest, body: { _embedded: { records: change(records, url.searchParams) } } }
}

/** The contract RPC with another answer to one method. */
const withAnswer = (method: string, change: (result: Body) => Body): Lie => (asked, honest) =>
  asked === method ? { ...honest, body: { ...bodyOf(honest), result: change(bodyOf(honest)["result"] as Body) } } : honest

const leavesOut = withAnswer("getLedgerEntries", (result) => ({ ...result, entries: [] }))

layer(lyingService({ TESTNET_MEDIATOR_FORMER: former.publicKey() }), { excludeTestServices: true })("an account that is gone", (it) => {
  it.effect("into somebody who then pays the destination one stroop was not closed into it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* pair
      const { source: thief } = yield* on(Pair())
      const record = yield* mergedAndPaid(source, thief, destination.publicKey(), 1n)
      const address = source.publicKey()
      const paid = { destination: destination.publicKey(), amount: "0.0000001" }
      const details = { address, mergedInto: thief.publicKey(), paid, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound({ source: address, destination: destination.publicKey() }), details)
      assert.deepStrictEqual(yield* notFound({ source: address, destination: destination.publicKey(), mergeHash: hashOf(record) }), details)
      assert.deepStrictEqual(yield* complete({ source: address, destination: thief.publicKey() }), [])
    }))

  it.effect("straight into an exchange that credits no merge was not closed into it", () =>
    Effect.gen(function*() {
      const { source } = yield* pair
      const { payments } = yield* exchanges
      const record = yield* merged(source, payments, Memo.text("customer 42"))
      const asked = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "customer 42" } } as const
      const details = { address: source.publicKey(), mergedInto: payments, memo: asked.memo, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound(asked), details)
    }))

  it.effect("into an exchange is complete with its memo, and not with another, or where none is asked for", () =>
    Effect.gen(function*() {
      const { merges } = yield* exchanges
      const { source } = yield* pair
      const asked = { source: source.publicKey(), destination: merges }
      const record = yield* merged(source, merges, Memo.id("77"))
      assert.deepStrictEqual(yield* complete({ ...asked, memo: { type: "id", value: "77" } }), [])
      const details = { address: source.publicKey(), mergedInto: merges, memo: { type: "id", value: "77" }, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound({ ...asked, memo: { type: "id", value: "78" } }), details)
      assert.deepStrictEqual(yield* notFound(asked), details)
      const { source: other } = yield* pair
      const without = yield* merged(other, merges)
      const bare = { address: other.publicKey(), mergedInto: merges, hash: hashOf(without) }
      assert.deepStrictEqual(yield* notFound({ source: other.publicKey(), destination: merges, memo: { type: "id", value: "77" } }), bare)
    }))

  it.effect("with a memo of another type or other bytes than the one asked for was not closed as asked", () =>
    Effect.gen(function*() {
      for (const memo of [Memo.text("77"), Memo.id("77"), Memo.hash("77".repeat(32)), Memo.return("77".repeat(32))]) {
        const { destination, source } = yield* pair
        yield* merged(source, destination.publicKey(), memo)
        const asked = { source: source.publicKey(), destination: destination.publicKey() }
        const given = (type: "text" | "id" | "hash" | "return") =>
          ({ ...asked, memo: { type, value: type === "text" || type === "id" ? "77" : "77".repeat(32) } })
        for (const type of ["text", "id", "hash", "return"] as const) {
          assert.strictEqual(yield* outcome(given(type)), type === memo.type ? "complete" : "not_found", `${memo.type} asked as ${type}`)
        }
        assert.strictEqual(yield* outcome({ ...asked, memo: { type: "text", value: "77 " } }), "not_found")
        assert.strictEqual(yield* outcome(asked), "complete")
      }
    }))

  it.effect("through the mediator is complete with the whole amount, and not with less, or paid to somebody else", () =>
    Effect.gen(function*() {
      const { mediator } = yield* Liars
      const { payments } = yield* exchanges
      const memo = Memo.text("customer 42")
      const asked = { destination: payments, memo: { type: "text", value: "customer 42" } } as const
      const whole = 1_000_000_000n - fee
      for (const [amount, over] of [[whole, true], [whole - 100_000n, true], [whole - 100_001n, false], [1n, false]] as const) {
        const { source } = yield* pair
        const record = yield* mergedAndPaid(source, mediator, payments, amount, memo)
        const request = { ...asked, source: source.publicKey() }
        if (over) yield* complete(request)
        else {
          assert.deepStrictEqual(yield* notFound(request), {
            address: source.publicKey(),
            mergedInto: mediator.publicKey(),
            paid: { destination: payments, amount: lumens(amount) },
            memo: asked.memo,
            hash: hashOf(record)
          })
        }
      }
      const { destination, source } = yield* pair
      yield* mergedAndPaid(source, mediator, destination.publicKey(), whole, memo)
      yield* notFound({ ...asked, source: source.publicKey() })
    }))

  it.effect("through a mediator of former times is complete, and not through one that never was", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { payments } = yield* exchanges
      yield* on(fund("1", former))
      const memo = Memo.text("customer 42")
      for (const through of [former, (yield* on(Pair())).source]) {
        const { source } = yield* pair
        yield* mergedAndPaid(source, through, payments, 1_000_000_000n - fee, memo)
        const request = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "customer 42" } } as const
        assert.strictEqual(yield* outcome(request), through === former ? "complete" : "not_found")
      }
    }))

  it.effect("is found behind whatever strangers sent it since", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      yield* merged(source, destination.publicKey())
      yield* noise(source.publicKey(), 210)
      assert.deepStrictEqual(yield* complete({ source: source.publicKey(), destination: destination.publicKey() }), [])
    }), 30_000)

  it.effect("by one source alone is not gone: the other one has it", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      yield* merged(source, destination.publicKey())
      yield* (yield* Service).on(fund("5", source))
      for (const route of ["plan", "next"] as const) {
        const refused = yield* lying("rpc", leavesOut, refusal(route, asked))
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: source.publicKey() } })
        assert.isNotNull(refused.retryAfter)
      }
      assert.strictEqual((yield* plan(asked)).status, "needs_decisions")
    }))

  it.effect("and was created anew later is not over, whatever both sources leave out", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const { facts } = yield* merged(source, destination.publicKey())
      yield* (yield* Service).on(fund("5", source))
      const absent: Lie = (path, honest) =>
        path.split("?")[0] === `/accounts/${source.publicKey()}` ? { status: 404, body: { type: "about:blank", title: "Resource Missing", status: 404 } } : honest
      for (const request of [asked, { ...asked, mergeHash: facts.hash }]) {
        const details = yield* lying("rpc", leavesOut, lying("api", absent, notFound(request)))
        assert.strictEqual(details["address"], source.publicKey())
        assert.notProperty(details, "mergedInto")
      }
    }))

  it.effect("twice ended where its last merge went, whichever is named", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* pair
      const { source: second } = yield* on(Pair())
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const first = yield* merged(source, destination.publicKey())
      yield* on(fund("5", source))
      const last = yield* merged(source, second.publicKey())
      const details = { address: source.publicKey(), mergedInto: second.publicKey(), hash: hashOf(last) }
      assert.deepStrictEqual(yield* notFound(asked), details)
      assert.deepStrictEqual(yield* notFound({ ...asked, mergeHash: hashOf(first) }), details)
      yield* complete({ ...asked, destination: second.publicKey(), mergeHash: hashOf(last) })
    }))
})

layer(lyingService(), { excludeTestServices: true })("the history of an account that is gone", (it) => {
  it.effect("that shows an envelope which does not hash to its hash proves nothing", () =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const { destination, source } = yield* pair
      const thief = (yield* pair).source
      const { facts } = yield* merged(source, thief.publicKey())
      const lie = new TransactionBuilder(TransactionBuilder.cloneFrom(TransactionBuilder.fromXdr(facts.envelope.toXdr("base64"), passphrase) as never).source, {
        fee: "100",
        networkPassphrase: passphrase
      }).addOperation(Operation.accountMerge({ destination: destination.publicKey() })).setTimeout(0).build()
      lie.sign(source)
      const forged = (hash: string) => withHistory(source.publicKey(), (records) =>
        records.map((record) => (record["hash"] === facts.hash ? { ...record, hash, envelope_xdr: lie.toXdr() } : record)))
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const details = yield* lying("api", forged(facts.hash), notFound(asked))
      assert.deepStrictEqual(details, { address: source.publicKey(), hash: facts.hash })
      // With the hash that it has, the other source does not know it.
      const own = Buffer.from(lie.hash()).toString("hex")
      const refused = yield* lying("api", forged(own), refusal("plan", asked))
      assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: own } })
    }))

  it.effect("that calls a merge successful which failed by the other source is not believed", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const { facts } = yield* merged(source, destination.publicKey())
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const failed = withAnswer("getTransaction", (result) => ({ ...result, status: "FAILED" }))
      const refused = yield* lying("rpc", failed, refusal("plan", asked))
      assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: facts.hash } })
    }))

  it.effect("that shows another amount than was merged is not believed: the other source tells it", () =>
    Effect.gen(function*() {
      const { mediator } = yield* Liars
      const { payments } = yield* exchanges
      const { source } = yield* pair
      const { applied } = yield* mergedAndPaid(source, mediator, payments, 1n, Memo.text("x"))
      const result = xdr.TransactionResult.fromXdr(applied.result.toXdr("base64"), "base64")
      if (result.result.type !== "txSuccess") return assert.fail("the merge failed")
      const [first, ...more] = result.result.results
      const small = xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(1n)))
      assert.isDefined(first)
      const lie = new xdr.TransactionResult({ feeCharged: 200n, ext: result.ext, result: xdr.TransactionResultResult.txSuccess([small, ...more]) }).toXdr("base64")
      const asked = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "x" } } as const
      yield* lying("api", withHistory(source.publicKey(), (records) => records.map((record) => ({ ...record, result_xdr: lie }))), notFound(asked))
    }))

  it.effect("which the contract RPC no longer remembers is taken, and the answer says so", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const { facts, ledger } = yield* merged(source, destination.publicKey())
      const forgot = withAnswer("getTransaction", ({ latestLedger, latestLedgerCloseTime }) =>
        ({ status: "NOT_FOUND", latestLedger, latestLedgerCloseTime, oldestLedger: ledger + 1 }))
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      for (const request of [asked, { ...asked, mergeHash: facts.hash }]) {
        assert.deepStrictEqual(yield* lying("rpc", forgot, complete(request)), ["history_only"])
      }
    }))

  it.effect("is read for twenty pages, and says where it stopped; a merge named by its hash is complete nevertheless, and the answer says so", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const { facts, ledger } = yield* merged(source, destination.publicKey())
      yield* noise(source.publicKey(), 1)
      let pages = 0
      const endless = withHistory(source.publicKey(), (records, asked) => {
        pages++
        const [template] = records.length > 0 ? records : [dust]
        const from = BigInt(asked.get("cursor") ?? "9000000000000000000")
        dust = template ?? dust
        return Array.from({ length: 200 }, (_, at) => ({ ...dust, ledger: ledger + 1, paging_token: (from - BigInt(at + 1)).toString() }))
      })
      let dust: Body = {}
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const refused = yield* lying("api", endless, refusal("plan", asked))
      assert.deepInclude(refused, { status: 404, code: "not_found", details: { address: source.publicKey(), searchedTo: ledger + 1 } })
      assert.strictEqual(pages, 20)
      const { status, warnings } = yield* lying("api", endless, plan({ ...asked, mergeHash: facts.hash.toUpperCase() }))
      assert.deepStrictEqual([status, warnings.map(({ code }) => code)], ["complete", ["history_only"]])
    }))

  it.effect("that goes back to where it was is no history", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      yield* merged(source, destination.publicKey())
      const again = withHistory(source.publicKey(), (records) => [...records, ...records])
      const refused = yield* lying("api", again, refusal("plan", { source: source.publicKey(), destination: destination.publicKey() }))
      assert.deepInclude(refused, { status: 502, code: "upstream_unusable" })
    }))

  it.effect("is not searched for a hash that nobody knows, or that did something else, or is no hash", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* pair
      const other = yield* on(perform("something else", { as: source, operations: [Operation.bumpSequence({ bumpTo: "0" })] }))
      yield* merged(source, destination.publicKey())
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      for (const hash of ["ab".repeat(32), hashOf(other)]) {
        assert.deepStrictEqual(yield* notFound({ ...asked, mergeHash: hash }), { address: source.publicKey(), hash })
      }
      assert.deepInclude(yield* refusal("plan", { ...asked, mergeHash: "no hash" }), { status: 400, code: "invalid_hash" })
    }))

  it.effect("that knows nothing of an account is not_found, with nothing more", () =>
    Effect.gen(function*() {
      const nobody = Keypair.random().publicKey()
      assert.deepStrictEqual(yield* notFound({ source: nobody, destination: Keypair.random().publicKey() }), { address: nobody })
    }))
})

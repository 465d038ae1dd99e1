import { assert } from "@effect/vitest"
import { Account, Keypair, Memo, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { plan, refusal } from "./support/Client.ts"
import { complete, hashOf, merged, mergedAndPaid, noise, notFound, pair } from "./support/Ended.ts"
import { type Body, withAnswer, withHistory } from "./support/Lies.ts"
import { Liars, lying, lyingService } from "./support/LyingSources.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

layer(lyingService(), { excludeTestServices: true })("the history of an account that is gone", (it) => {
  it.effect("that shows an envelope which does not hash to its hash proves nothing", () =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const { destination, source } = yield* pair
      const thief = (yield* pair).source
      const { facts } = yield* merged(source, thief.publicKey())
      const lie = new TransactionBuilder(new Account(source.publicKey(), "1"), {
        fee: "100",
        networkPassphrase: passphrase
      }).addOperation(Operation.accountMerge({ destination: destination.publicKey() })).setTimeout(0).build()
      lie.sign(source)
      const forged = (hash: string) =>
        withHistory(source.publicKey(), (records) =>
          records.map((record) => (record["hash"] === facts.hash ? { ...record, hash, envelope_xdr: lie.toXdr() } : record)))
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const details = yield* lying("api", forged(facts.hash), notFound(asked))
      assert.deepStrictEqual(details, { address: source.publicKey(), hash: facts.hash })
      // The other source does not have this hash.
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
      const lie = new xdr.TransactionResult({
        feeCharged: 200n,
        ext: result.ext,
        result: xdr.TransactionResultResult.txSuccess([small, ...more])
      }).toXdr("base64")
      const asked = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "x" } } as const
      yield* lying(
        "api",
        withHistory(source.publicKey(), (records) => records.map((record) => ({ ...record, result_xdr: lie }))),
        notFound(asked)
      )
    }))

  it.effect("which the contract RPC no longer remembers is taken, and the answer says so", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const { facts, ledger } = yield* merged(source, destination.publicKey())
      const forgot = withAnswer(
        "getTransaction",
        ({ latestLedger, latestLedgerCloseTime }) => ({
          status: "NOT_FOUND",
          latestLedger,
          latestLedgerCloseTime,
          oldestLedger: ledger + 1
        })
      )
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

  it.effect("of which a record has an unknown arm is complete without it, and the answer says so; without the merge it is not found", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const { facts, ledger } = yield* merged(source, destination.publicKey())
      yield* noise(source.publicKey(), 1)
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const newer = Buffer.from([0, 0, 0, 99]).toString("base64")
      const unread = (isUnread: (hash: unknown) => boolean) =>
        withHistory(
          source.publicKey(),
          (records) => records.map((record) => (isUnread(record["hash"]) ? { ...record, envelope_xdr: newer } : record))
        )
      for (const request of [asked, { ...asked, mergeHash: facts.hash }]) {
        assert.deepStrictEqual(yield* lying("api", unread((hash) => hash !== facts.hash), complete(request)), ["history_only"])
      }
      const withoutMerge = yield* lying("api", unread((hash) => hash === facts.hash), notFound(asked))
      assert.deepStrictEqual(withoutMerge, { address: source.publicKey(), searchedTo: ledger })
      const unreadThere = withAnswer("getTransaction", (result) => ({ ...result, envelopeXdr: newer }))
      assert.deepStrictEqual(yield* lying("rpc", unreadThere, complete(asked)), ["history_only"])
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

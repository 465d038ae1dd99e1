import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, xdr } from "@stellar/stellar-sdk"
import { Cause, Effect, Exit, Fiber, Layer, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { dataKey } from "../../src/xdr/LedgerKeys.ts"
import { dataEntry, someAddress, sponsoredBy, unsponsored } from "./support/Entries.ts"
import { scripted, settings } from "./support/Scripted.ts"
import type { Reaction, Seen } from "./support/Scripted.ts"

const first = new URL("https://first.example/rpc/token?key=hidden")
const second = new URL("https://second.example/")

/** A contract RPC whose endpoints answer from a script. */
const rpcOver = (react: (request: Seen, count: number) => Reaction) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const services = yield* Layer.build(ContractRpc.layer.pipe(Layer.provide([transport.layer, settings([first, second])])))
    return { rpc: yield* Effect.provide(ContractRpc, services), seen: transport.seen }
  })

const result = (value: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }) })
const error = (code: number, status = 200): Reaction => ({
  status,
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } })
})

const fees = Object.fromEntries(
  ["max", "min", "mode", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95", "p99", "transactionCount"].map(
    (name, index) => [name, String(index + 1)]
  )
)
const feeResult = {
  inclusionFee: { ...fees, ledgerCount: 10 },
  sorobanInclusionFee: { ...fees, p90: "9999", ledgerCount: 50 },
  latestLedger: 7
}
const feeStats = result(feeResult)

/** The same answer with an error beside it. */
const both = (beside: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: feeResult, error: beside }) })

/** The outcome of a call when the first endpoint reacts as given and the second always answers. */
const withFallback = (reaction: Reaction) =>
  Effect.gen(function*() {
    const { rpc, seen } = yield* rpcOver(({ origin }) => (origin === first.origin ? reaction : feeStats))
    const outcome = yield* Effect.either(rpc.feeStats)
    return { outcome, origins: (yield* seen).map(({ origin }) => origin), endpoints: yield* rpc.endpoints }
  })

describe("what an endpoint may answer", () => {
  const movesOn: ReadonlyArray<readonly [string, Reaction]> = [
    ["a cut connection", "cut"],
    ["500", { status: 500, body: "oops" }],
    ["503 with a JSON-RPC body", error(-32603, 503)],
    ["408", { status: 408, body: "" }],
    ["429", { status: 429, body: "" }],
    ["403 of a proxy", { status: 403, body: "<html>forbidden</html>" }],
    ["404 of a proxy", { status: 404, body: "<html>not found</html>" }],
    ["no JSON", { body: "<html>hello</html>" }],
    ["half a JSON", { body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"resu" }],
    ["an empty body", { body: "" }],
    ["another question's answer", { body: JSON.stringify({ jsonrpc: "2.0", id: 2, result: {} }) }],
    ["a null result", result(null)],
    ["an error beside a result", both({ code: -32603, message: "no" })],
    ["an error without a code", { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { message: "" } }) }],
    ["a list of answers", { body: JSON.stringify([{ jsonrpc: "2.0", id: 1, result: {} }]) }],
    ["a result of another shape", result({ latestLedger: 7 })],
    [
      "a number where a text belongs",
      result({ inclusionFee: { ...fees, p90: 12, ledgerCount: 1 }, sorobanInclusionFee: { ...fees, ledgerCount: 1 }, latestLedger: 7 })
    ],
    ["an internal JSON-RPC error", error(-32603)],
    ["an unknown method", error(-32601)],
    ["a JSON-RPC refusal for too many requests", error(-32005)]
  ]
  for (const [name, reaction] of movesOn) {
    it.effect(`moves on to the next endpoint after ${name}`, () =>
      Effect.gen(function*() {
        const { endpoints, origins, outcome } = yield* withFallback(reaction)
        assert.strictEqual(outcome._tag, "Right")
        assert.deepStrictEqual(origins, [first.origin, second.origin])
        assert.strictEqual(endpoints[0]?.health, "degraded")
      }).pipe(Effect.scoped))
  }

  const callersFault: ReadonlyArray<readonly [string, Reaction]> = [
    ["invalid parameters", error(-32602)],
    ["invalid parameters with status 400", error(-32602, 400)],
    ["an invalid request", error(-32600)],
    ["413", { status: 413, body: "" }]
  ]
  for (const [name, reaction] of callersFault) {
    it.effect(`does not ask another endpoint after ${name}`, () =>
      Effect.gen(function*() {
        const { origins, outcome } = yield* withFallback(reaction)
        assert.strictEqual(outcome._tag === "Left" ? outcome.left._tag : "", "UpstreamUnusable")
        assert.deepStrictEqual(origins, [first.origin])
      }).pipe(Effect.scoped))
  }

  it.effect("takes a result beside an error of null, as some servers write it", () =>
    Effect.gen(function*() {
      const { origins, outcome } = yield* withFallback(both(null))
      assert.strictEqual(outcome._tag, "Right")
      assert.deepStrictEqual(origins, [first.origin])
    }).pipe(Effect.scoped))

  it.effect("tells Retry-After, as seconds and as a date", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver(({ origin }) => ({
        status: 429,
        headers: { "retry-after": origin === first.origin ? "45" : new Date(33_000).toUTCString() },
        body: ""
      }))
      const failure = yield* Effect.flip(rpc.feeStats)
      assert.strictEqual(failure._tag === "UpstreamRateLimited" ? failure.retryAfterSeconds : 0, 33)
    }).pipe(Effect.scoped))

  it.effect("tells no longer Retry-After than an endpoint is left alone", () =>
    Effect.gen(function*() {
      for (const long of ["31536000", new Date(31_536_000_000).toUTCString()]) {
        const { rpc } = yield* rpcOver(() => ({ status: 429, headers: { "retry-after": long }, body: "" }))
        const failure = yield* Effect.flip(rpc.feeStats)
        assert.strictEqual(failure._tag === "UpstreamRateLimited" ? failure.retryAfterSeconds : 0, 60)
      }
    }).pipe(Effect.scoped))

  it.effect("keeps path and query of an endpoint for its requests and out of its report", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver(() => feeStats)
      yield* rpc.feeStats
      const [request] = yield* seen
      assert.strictEqual(request?.url.href, first.href)
      assert.deepStrictEqual(request?.body, { jsonrpc: "2.0", id: 1, method: "getFeeStats", params: {} })
      assert.isUndefined(request?.headers["traceparent"])
      assert.isUndefined(request?.headers["b3"])
      assert.deepStrictEqual((yield* rpc.endpoints).map(({ url }) => url), [first.origin, second.origin])
    }).pipe(Effect.scoped))
})

describe("feeStats", () => {
  it.effect("tells classic and contract fees apart", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver(() => feeStats)
      const stats = yield* rpc.feeStats
      assert.strictEqual(stats.classic.p90, 12n)
      assert.strictEqual(stats.soroban.p90, 9999n)
      assert.strictEqual(stats.classic.ledgerCount, 10)
    }).pipe(Effect.scoped))
})

describe("ledgerEntries", () => {
  const owner = someAddress()
  const sponsor = someAddress()
  const row = (name: string, over: object = {}) => ({
    key: dataKey(owner, name).toXdr("base64"),
    xdr: dataEntry(owner, name).toXdr("base64"),
    lastModifiedLedgerSeq: 5,
    extXdr: unsponsored.toXdr("base64"),
    ...over
  })
  const ask = (entries: unknown, names: ReadonlyArray<string> = ["a", "b"]) =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver(() => result({ entries, latestLedger: 7 }))
      return yield* Effect.either(rpc.ledgerEntries(names.map((name) => dataKey(owner, name))))
    }).pipe(Effect.scoped)

  it.effect("gives entries with their sponsor, and leaves out what is not there", () =>
    Effect.gen(function*() {
      const outcome = yield* ask([row("b", { extXdr: sponsoredBy(sponsor).toXdr("base64") })])
      if (outcome._tag === "Left") return assert.fail(outcome.left._tag)
      const [entry] = outcome.right.entries
      assert.strictEqual(outcome.right.entries.length, 1)
      assert.strictEqual(outcome.right.latestLedger, 7)
      assert.strictEqual(
        entry?.entry?.toXdr("base64"),
        new xdr.LedgerEntry({ lastModifiedLedgerSeq: 5, data: dataEntry(owner, "b"), ext: sponsoredBy(sponsor) }).toXdr("base64")
      )
      assert.isNull(entry?.liveUntilLedger ?? null)
    }))

  it.effect("tells an archived entry by its 0", () =>
    Effect.gen(function*() {
      const outcome = yield* ask([row("a", { liveUntilLedgerSeq: 0 })])
      assert.strictEqual(outcome._tag === "Right" ? outcome.right.entries[0]?.liveUntilLedger : null, 0)
    }))

  it.effect("takes a null list for an empty one", () =>
    Effect.gen(function*() {
      const outcome = yield* ask(null)
      assert.deepStrictEqual(outcome._tag === "Right" ? outcome.right.entries : null, [])
    }))

  const unusable: ReadonlyArray<readonly [string, unknown]> = [
    ["an entry without its ext", [row("a", { extXdr: undefined })]],
    ["an entry that was not asked for", [row("c")]],
    ["an entry under another's key", [row("a", { xdr: dataEntry(owner, "b").toXdr("base64") })]],
    ["an entry twice", [row("a"), row("a")]],
    ["garbage for XDR", [row("a", { xdr: "AAAA" })]],
    ["bytes behind the XDR", [row("a", { xdr: Buffer.concat([dataEntry(owner, "a").toXdr(), new Uint8Array(4)]).toString("base64") })]]
  ]
  for (const [name, entries] of unusable) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function*() {
        const outcome = yield* ask(entries)
        assert.strictEqual(outcome._tag === "Left" ? outcome.left._tag : "an answer", "UpstreamUnusable")
      }))
  }

  const balance = (predicate: xdr.ClaimPredicate) => {
    const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new xdr.Hash(new Uint8Array(32)))
    return {
      key: xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId })),
      data: xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId,
          claimants: [new Claimant(owner, predicate).toXDRObject()],
          asset: Asset.native().toXDRObject(),
          amount: 1n,
          ext: xdr.ClaimableBalanceEntryExt.v0()
        })
      )
    }
  }
  const askClaim = (predicate: xdr.ClaimPredicate) =>
    Effect.gen(function*() {
      const { data, key } = balance(predicate)
      const entry = { key: key.toXdr("base64"), xdr: data.toXdr("base64"), lastModifiedLedgerSeq: 5, extXdr: unsponsored.toXdr("base64") }
      const { rpc } = yield* rpcOver(() => result({ entries: [entry], latestLedger: 7 }))
      return yield* Effect.either(rpc.ledgerEntries([key]))
    }).pipe(Effect.scoped)
  const { predicateAnd: and, predicateNot: not, predicateUnconditional: always } = Claimant

  it.effect("takes in a claim of four levels", () =>
    Effect.map(askClaim(and(not(not(always())), always())), (outcome) => assert.strictEqual(outcome._tag, "Right")))

  it.effect("refuses a claim of five levels, which the ledger cannot hold", () =>
    Effect.map(
      askClaim(and(not(not(not(always()))), always())),
      (outcome) => assert.strictEqual(outcome._tag === "Left" ? outcome.left._tag : "an answer", "UpstreamUnusable")
    ))

  it.effect("is a defect with more than 200 keys", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver(() => result({ entries: [], latestLedger: 7 }))
      const names = Array.from({ length: 201 }, (_, index) => `entry ${index}`)
      const exit = yield* Effect.exit(rpc.ledgerEntries(names.map((name) => dataKey(owner, name))))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.strictEqual((yield* seen).length, 0)
    }).pipe(Effect.scoped))
})

describe("sendTransaction", () => {
  const hash = "ab".repeat(32)
  const pending = result({ status: "PENDING", hash, latestLedger: 7, latestLedgerCloseTime: "1" })

  it.effect("says that nothing was sent before when the first answer came", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver(() => pending)
      assert.deepStrictEqual(yield* rpc.sendTransaction("AAAA"), { status: "PENDING", hash, result: null, latestLedger: 7, resent: false })
    }).pipe(Effect.scoped))

  it.effect("sends the same envelope again after a lost answer, and says so", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver((_, count) => (count === 1 ? "cut" : result({ status: "DUPLICATE", hash, latestLedger: 7 })))
      const answer = yield* rpc.sendTransaction("AAAA")
      assert.strictEqual(answer.status, "DUPLICATE")
      assert.isTrue(answer.resent)
      const request = { jsonrpc: "2.0", id: 1, method: "sendTransaction", params: { transaction: "AAAA" } }
      assert.deepStrictEqual((yield* seen).map(({ body }) => body), [request, request])
    }).pipe(Effect.scoped))

  it.effect("says that a copy went out when an attempt was cut off by its time limit", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver((_, count) => (count === 1 ? "hang" : pending))
      const fiber = yield* Effect.fork(rpc.sendTransaction("AAAA"))
      yield* TestClock.adjust("10 seconds")
      assert.isTrue((yield* Fiber.join(fiber)).resent)
    }).pipe(Effect.scoped))

  it.effect("does not take a 429 for a copy that went out", () =>
    Effect.gen(function*() {
      const { rpc } = yield* rpcOver((_, count) => (count === 1 ? { status: 429, body: "" } : pending))
      assert.isFalse((yield* rpc.sendTransaction("AAAA")).resent)
    }).pipe(Effect.scoped))

  it.effect("does not repeat TRY_AGAIN_LATER by itself", () =>
    Effect.gen(function*() {
      const { rpc, seen } = yield* rpcOver(() => result({ status: "TRY_AGAIN_LATER", hash, latestLedger: 7 }))
      assert.strictEqual((yield* rpc.sendTransaction("AAAA")).status, "TRY_AGAIN_LATER")
      assert.strictEqual((yield* seen).length, 1)
    }).pipe(Effect.scoped))

  it.effect("gives the result of a refused transaction, and takes no refusal without one", () =>
    Effect.gen(function*() {
      const refusal = new xdr.TransactionResult({
        feeCharged: 100n,
        result: xdr.TransactionResultResult.txBadSeq(),
        ext: xdr.TransactionResultExt.v0()
      })
      const told = (extra: object) => result({ status: "ERROR", hash, latestLedger: 7, ...extra })
      const { rpc } = yield* rpcOver((_, count) => told(count === 1 ? { errorResultXdr: refusal.toXdr("base64") } : {}))
      const answer = yield* rpc.sendTransaction("AAAA")
      assert.strictEqual(answer.result?.result.type, "txBadSeq")
      assert.strictEqual((yield* Effect.flip(rpc.sendTransaction("AAAA")))._tag, "UpstreamUnusable")
    }).pipe(Effect.scoped))
})

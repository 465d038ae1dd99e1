import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { scanner } from "../../src/protocols/reading/Announcements.ts"
import { mostCharacters, mostSpans } from "../../src/protocols/reading/ScanRecord.ts"
import { symbol, u32 } from "../../src/stellar/ScValCodec.ts"
import { soon } from "../account/support/World.ts"
import { passphrase, settings } from "../chain/support/Scripted.ts"
import { anyContract } from "../support/Addresses.ts"

const contract = anyContract()
const topic = symbol.encode("deploy")

interface Span {
  readonly from: number
  readonly to: number
}

interface Asked {
  readonly method: string
  readonly params: { readonly startLedger: number; readonly endLedger: number }
}

const idOf = (ledger: number): string => `${(BigInt(ledger) << 32n).toString().padStart(19, "0")}-0000000000`

/** A contract RPC that remembers the last week, with an event in each of some ledgers; `fails` for some ranges. */
const weekLong = (
  latest: () => number,
  eventLedgers: ReadonlyArray<number>,
  fails: (span: Span) => boolean = () => false,
  carried: (ledger: number) => xdr.ScVal = u32.encode
) => {
  const seen = { spans: new Array<Span>(), atOnce: 0, most: 0 }
  const oldest = () => Math.max(1, latest() - 120_959)
  const answerTo = ({ method, params: { endLedger: to, startLedger: from } }: Asked): object => {
    if (method === "getNetwork") return { result: { passphrase } }
    const range = { oldestLedger: oldest(), latestLedger: latest() }
    if (method === "getHealth") return { result: { status: "healthy", ...range } }
    if (to - from > 10_000 || from < oldest() || from > latest()) return { error: { code: -32600, message: "no" } }
    seen.spans.push({ from, to })
    if (fails({ from, to })) return { error: { code: -32601, message: "no" } }
    return {
      result: {
        ...range,
        cursor: idOf(Math.min(to - 1, latest())),
        events: eventLedgers.filter((ledger) => ledger >= from && ledger < to).map((ledger) => ({
          type: "contract",
          ledger,
          contractId: contract,
          id: idOf(ledger),
          topic: [topic.toXdr("base64")],
          value: carried(ledger).toXdr("base64")
        }))
      }
    }
  }
  const client = HttpClient.make((request) =>
    Effect.gen(function*() {
      const asked: Asked = {
        params: {},
        ...JSON.parse(request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "{}")
      }
      const counts = asked.method === "getEvents" ? 1 : 0
      seen.atOnce += counts
      seen.most = Math.max(seen.most, seen.atOnce)
      yield* Effect.sleep("100 millis")
      seen.atOnce -= counts
      return HttpClientResponse.fromWeb(request, Response.json({ jsonrpc: "2.0", id: 1, ...answerTo(asked) }))
    })
  )
  const layer = ContractRpc.layer.pipe(
    Layer.provide([Layer.succeed(HttpClient.HttpClient, client), settings([new URL("https://first.example/")])])
  )
  return { layer, seen, oldest }
}

const scanSince = (since: number) => Effect.flatMap(ContractRpc, (rpc) => scanner(rpc, { contracts: [contract], topics: [topic], since }))

/** The file covers the ledgers before this one. */
const scan = scanSince(500_000 - 120_959)

const carried = (ledgers: ReadonlyArray<number>) => ledgers.map((ledger) => u32.encode(ledger).toXdr("base64"))

const sorted = (spans: ReadonlyArray<Span>) => spans.toSorted((one, other) => one.from - other.from)

describe("announcements", () => {
  it.scoped("of a week are found in windows that follow each other without a gap, at most four at a time", () => {
    const latest = 500_000
    const ledgers = [latest - 120_959, latest - 60_000, latest]
    const { layer, oldest, seen } = weekLong(() => latest, ledgers)
    return Effect.gen(function*() {
      const announced = yield* scan
      const { data, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.isNull(gap)
      assert.sameMembers(data.map((one) => one.toXdr("base64")), [...carried(ledgers)])
      const spans = sorted(seen.spans)
      assert.strictEqual(spans[0]?.from, oldest())
      assert.strictEqual(spans.at(-1)?.to, latest + 1)
      for (const [index, { to }] of spans.slice(0, -1).entries()) assert.strictEqual(spans[index + 1]?.from, to)
      assert.lengthOf(spans, 13)
      assert.strictEqual(seen.most, 4)
      assert.include(seen.spans.slice(0, 4).map(({ to }) => to), latest + 1)
    }).pipe(Effect.provide(layer))
  })

  it.scoped("are not asked for again; what came since is", () => {
    let latest = 500_000
    const ledgers = [latest - 60_000, latest + 3]
    const { layer, seen } = weekLong(() => latest, ledgers)
    return Effect.gen(function*() {
      const announced = yield* scan
      yield* soon(announced({ sequence: latest, closeTime: 1n }))
      seen.spans.length = 0
      latest += 60
      const { data, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.isNull(gap)
      assert.deepStrictEqual(seen.spans, [{ from: 500_001, to: 500_061 }])
      assert.deepStrictEqual(data.map((one) => one.toXdr("base64")), [...carried(ledgers)])
      seen.spans.length = 0
      yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.isEmpty(seen.spans)
    }).pipe(Effect.provide(layer))
  })

  it.scoped("may be missing where a window fails: nothing older is tried then, and the next time it goes on from there", () => {
    let latest = 500_000
    let broken = true
    const lost = latest - 45_000
    const { layer, oldest, seen } = weekLong(() => latest, [lost, latest], ({ from, to }) => broken && from <= lost && lost < to)
    return Effect.gen(function*() {
      const announced = yield* scanSince(500_000 - 120_959 + 12)
      const first = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.isNotNull(first.gap)
      assert.strictEqual(first.failure?._tag, "UpstreamUnusable")
      assert.deepStrictEqual(first.data.map((one) => one.toXdr("base64")), [...carried([latest])])
      // The failed request is retried once.
      assert.isBelow(new Set(seen.spans.map(({ from }) => from)).size, 13)
      seen.spans.length = 0
      broken = false
      latest += 12
      const second = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.isNull(second.gap)
      assert.sameMembers(second.data.map((one) => one.toXdr("base64")), [...carried([latest - 12, lost])])
      const [from, to] = [500_001 - 30_000, 500_001]
      assert.isFalse(seen.spans.some((span) => span.from < to && from < span.to), "the newest were scanned before")
      assert.strictEqual(sorted(seen.spans)[0]?.from, oldest())
      assert.strictEqual(sorted(seen.spans).at(-1)?.to, latest + 1)
    }).pipe(Effect.provide(layer))
  })

  it.scoped("before the oldest that anybody remembers are a gap that asking again does not close, from where the file ends", () => {
    const latest = 500_000
    const { layer, oldest } = weekLong(() => latest, [])
    return Effect.gen(function*() {
      const announced = yield* scanSince(1_000)
      const { failure, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.deepStrictEqual([gap, failure], [{ fromLedger: 1_000, toLedger: oldest() - 1 }, null])
    }).pipe(Effect.provide(layer))
  })

  it.scoped("that are more than is kept are a gap in their ledgers that asking again does not close, and what fits is kept", () => {
    const latest = 500_000
    const ledgers = [latest - 60_000, latest - 30_000, latest - 100]
    const { layer } = weekLong(
      () => latest,
      ledgers,
      () => false,
      (ledger) => xdr.ScVal.scvBytes(Buffer.alloc(mostCharacters / 3, ledger % 251))
    )
    return Effect.gen(function*() {
      const announced = yield* scan
      for (let time = 0; time < 2; time++) {
        const { data, failure, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
        assert.deepStrictEqual([data.length, failure], [2, null])
        assert.isTrue(gap !== null && ledgers.some((ledger) => gap.fromLedger <= ledger && ledger <= gap.toLedger))
      }
    }).pipe(Effect.provide(layer))
  })

  it.scoped("that were kept beyond what is kept here are scanned again", () => {
    const latest = 500_000
    const { layer } = weekLong(() => latest, [])
    const load = (covered: ReadonlyArray<Span>) => Effect.succeed({ data: new Map([["odd", u32.encode(7)]]), covered })
    const dataOf = (covered: ReadonlyArray<Span>) =>
      Effect.gen(function*() {
        const rpc = yield* ContractRpc
        const store = { load: load(covered), save: () => Effect.void }
        const announced = yield* scanner(rpc, { contracts: [contract], topics: [topic], since: latest - 120_959 }, store)
        return (yield* soon(announced({ sequence: latest, closeTime: 1n }))).data.length
      })
    return Effect.gen(function*() {
      const spans = Array.from({ length: mostSpans + 1 }, (_, at) => ({ from: 10 * at, to: 10 * at + 5 }))
      assert.deepStrictEqual([yield* dataOf(spans.slice(1)), yield* dataOf(spans)], [1, 0])
    }).pipe(Effect.provide(layer))
  })

  it.scoped("that were forgotten while nobody asked are a gap, and not waited for", () => {
    let latest = 500_000
    const { layer, oldest, seen } = weekLong(() => latest, [])
    return Effect.gen(function*() {
      const announced = yield* scan
      yield* soon(announced({ sequence: latest, closeTime: 1n }))
      latest += 200_000
      seen.spans.length = 0
      const { failure, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.deepStrictEqual([gap, failure], [{ fromLedger: 500_001, toLedger: oldest() - 1 }, null])
      assert.strictEqual(sorted(seen.spans)[0]?.from, oldest())
    }).pipe(Effect.provide(layer))
  })

  it.scoped("of a scan that failed so long that they were forgotten are a gap, and not waited for", () => {
    let latest = 500_000
    let broken = true
    const { layer } = weekLong(() => latest, [], () => broken)
    return Effect.gen(function*() {
      const announced = yield* scan
      assert.isNotNull((yield* soon(announced({ sequence: latest, closeTime: 1n }))).failure)
      broken = false
      latest += 200_000
      const { failure, gap } = yield* soon(announced({ sequence: latest, closeTime: 1n }))
      assert.deepStrictEqual([gap?.fromLedger, failure], [500_000 - 120_959, null])
    }).pipe(Effect.provide(layer))
  })
})

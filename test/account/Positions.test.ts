import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Networks, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { positions } from "../../src/account/Positions.ts"
import { positionWarnings } from "../../src/account/PositionWarnings.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { ownProtocols } from "../../src/domain/ProtocolName.ts"
import { noPositions } from "../../src/protocols/HeldPosition.ts"
import type { ProtocolReading } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts, WasmHash } from "../../src/registry/ContractAddresses.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { bare } from "../protocols/support/Bare.ts"
import { recorded } from "../protocols/support/Recorded.ts"
import { type Between, isRpc, methodOf, soon, world } from "./support/World.ts"

const recording = recorded("lend_1")

const Raw = Schema.parseJson(Schema.Struct({
  states: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ entries: Schema.Array(Schema.Struct({ key: Schema.String, xdr: Schema.String })) })
  })
}))
const states = Schema.decodeUnknownSync(Raw)(readFileSync(new URL("../recorded/lend_1.json", import.meta.url), "utf8")).states

const Answer = Schema.parseJson(Schema.Struct({
  jsonrpc: Schema.String,
  id: Schema.Unknown,
  result: Schema.Struct({ latestLedger: Schema.Number, entries: Schema.Array(Schema.Unknown) })
}))

const keysOf = (body: Uint8Array): ReadonlyArray<string> => JSON.parse(new TextDecoder().decode(body)).params.keys

const isContract = (key: string) => xdr.LedgerKey.fromXdr(key, "base64").type === "contractData"

/** Contract entries as recorded, all others as in the sandbox. */
const withRecorded = (state: string, but: (keys: ReadonlyArray<string>) => boolean = () => false): Between => (request, send) => {
  if (!isRpc(request) || methodOf(request) !== "getLedgerEntries" || request.body._tag !== "Uint8Array") return send
  const keys = keysOf(request.body.body)
  if (but(keys)) return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status: 503 })))
  return Effect.flatMap(send, (response) =>
    Effect.map(response.text, (text) => {
      const answer = Schema.decodeUnknownSync(Answer)(text)
      const found = (states[state]?.entries ?? []).filter(({ key }) => keys.includes(key) && isContract(key)).map((entry) => ({
        ...entry,
        lastModifiedLedgerSeq: 1,
        liveUntilLedgerSeq: answer.result.latestLedger + 1_000,
        extXdr: xdr.LedgerEntryExt.v0().toXdr("base64")
      }))
      return HttpClientResponse.fromWeb(
        request,
        Response.json({ ...answer, result: { ...answer.result, entries: [...answer.result.entries, ...found] } })
      )
    }))
}

const contracts = (code: string = recording.contracts["pool"]?.wasmHash ?? "") =>
  ContractAddresses.layerValue({
    protocols: { ...noContracts, lend_1: { poolV2: [recording.contract("pool")] } },
    code: { lend_1: { poolV2: [WasmHash.make(code)] } },
    tokens: "none"
  })

const read = Effect.gen(function*() {
  const friendbot = yield* Friendbot
  yield* friendbot.fund(recording.user)
  return yield* Effect.flatMap(AccountReader, (reader) => soon(reader.read(recording.user, [])))
}).pipe(Effect.provide(Friendbot.layer))

describe("positions of an account", () => {
  it.effect("are shown row by row, with what to read to see the same", () =>
    Effect.gen(function*() {
      const { protocols, state } = yield* read
      const { defiPositions } = state
      assert.strictEqual(defiPositions.source, "snapshot")
      assert.isNotNull(defiPositions.timestamp)
      assert.deepStrictEqual(state.defiPositionsWarnings, [])
      assert.deepStrictEqual(defiPositions.positions.map((row) => [row.positionType, row.display?.asset, row.usdValue]), [
        ["supply", "XLM", null],
        ["supply", "USDC", null],
        ["borrow", "EURC", null]
      ])
      assert.deepStrictEqual(defiPositions.enrichment[recording.contract("usdc")], {
        symbol: "USDC",
        decimals: 7,
        priceLumens: null,
        priceSource: null
      })
      const slice = defiPositions.queryKeys.slices["lend_1"]
      assert.deepStrictEqual(slice?.contracts, [recording.contract("pool")])
      assert.isAbove(slice?.ledgerKeys.length ?? 0, 10)
      assert.deepStrictEqual(
        protocols.map(({ _tag, protocol }) => [protocol.name, _tag]),
        ownProtocols.toSorted().map((name) => [name, "Read"])
      )
    }).pipe(Effect.provide(world({ between: withRecorded("collateralAndBorrow"), contracts: contracts() }))))

  it.effect("are empty once everything was left", () =>
    Effect.gen(function*() {
      const { state } = yield* read
      assert.strictEqual(state.defiPositions.source, "empty")
      assert.deepStrictEqual(state.defiPositions.positions, [])
    }).pipe(Effect.provide(world({ between: withRecorded("emptied"), contracts: contracts() }))))

  it.effect("are unrecognised in code that is not known", () =>
    Effect.gen(function*() {
      const { state } = yield* read
      assert.deepStrictEqual(state.defiPositions.positions, [])
      assert.deepStrictEqual(state.defiPositions.unrecognizedPositions.map(({ protocol, rawType }) => [protocol, rawType]), [[
        "lend_1",
        "pool"
      ]])
      assert.strictEqual(state.defiPositions.source, "snapshot")
    }).pipe(Effect.provide(world({ between: withRecorded("collateralAndBorrow"), contracts: contracts("ab".repeat(32)) }))))

  it.effect("are unknown, and never empty, where they were not read", () =>
    Effect.gen(function*() {
      const { state } = yield* read
      assert.notStrictEqual(state.defiPositions.source, "empty")
      assert.isNull(state.defiPositions.timestamp)
      assert.deepStrictEqual(state.defiPositions.queryKeys.slices, {})
      assert.deepStrictEqual(state.defiPositionsWarnings.map(({ code, subject }) => [code, subject]), [["source_failed", "lend_1"]])
    }).pipe(
      Effect.provide(world({ between: withRecorded("collateralAndBorrow", (keys) => keys.some(isContract)), contracts: contracts() }))
    ))

  it("in one protocol are not lost over another that fails: its warning says so, and the whole is never empty", () => {
    const found: ProtocolReading = { ...noPositions, _tag: "Read", protocol: bare("lend_1"), keys: [], found: null, shares: [] }
    const failed: ReadonlyArray<ProtocolReading> = [
      { _tag: "Unread", protocol: bare("cdp_1"), failure: new NetworkUnavailable({ network: "testnet" }) },
      { _tag: "Broken", protocol: bare("amm_1"), reason: "its decoder failed" }
    ]
    const [pool, user] = [recording.contract("pool"), recording.user]
    const row = {
      protocol: "lend_1",
      positionType: "borrow",
      contractAddress: pool,
      assetAddress: pool,
      dTokenAmount: "7",
      usdValue: null
    } as const
    const holding: ProtocolReading = {
      ...found,
      positions: [{ protocol: "lend_1", contract: pool, key: "reserves", rows: [row], pays: [], owes: [], givenUnder: null }]
    }
    const of = (...readings: ReadonlyArray<ProtocolReading>) => {
      const reading = { readings, closeTime: 1_000n }
      const { positions: rows, source, timestamp } = positions({
        address: user,
        network: "testnet",
        passphrase: Networks.TESTNET,
        untracked: [],
        reading,
        endpoints: [],
        readAt: "now"
      })
      return { rows, source, timestamp, warnings: positionWarnings([], reading).map(({ code, subject }) => [code, subject]) }
    }
    const told = [["source_failed", "cdp_1"], ["source_failed", "amm_1"]]
    assert.deepStrictEqual(of(holding, ...failed), {
      rows: [{ ...row, positionId: `position:lend_1:${pool}:reserves` }],
      source: "snapshot",
      timestamp: null,
      warnings: told
    })
    assert.deepStrictEqual(of(found, ...failed), { rows: [], source: "snapshot", timestamp: null, warnings: told })
    assert.deepStrictEqual(of(found), { rows: [], source: "empty", timestamp: "1970-01-01T00:16:40.000Z", warnings: [] })
  })
})

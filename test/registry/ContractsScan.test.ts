import { FileSystem, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { NodeFileSystem, NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { scanOver } from "../../scripts/contracts-scan.ts"
import { addressList } from "../../scripts/scan/AddressList.ts"
import { ledgersSource } from "../../scripts/scan/LedgersSource.ts"
import { queryEventsSource } from "../../scripts/scan/QueryEventsSource.ts"
import { progressIn } from "../../scripts/scan/ScanProgress.ts"
import { ScanRefused, type ScanSource } from "../../scripts/scan/ScanSource.ts"
import { jsonRpc } from "../../src/chain/contract-rpc/JsonRpc.ts"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { OutsideProtocol } from "../../src/domain/ProtocolName.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { ContractsDocument, noContracts } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { sandboxDeployment } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { LendingDeployed } from "../support/scenarios/LendingDeployed.ts"

const document = (listedTo: object) =>
  Schema.decodeUnknownSync(ContractsDocument)({
    network: "testnet",
    protocols: { ...noContracts, lend_1: sandboxDeployment.contracts.lend_1 },
    code: { lend_1: sandboxDeployment.code.lend_1 },
    tokens: "none",
    ...listedTo
  })

const factory = strkeyOf(lendingContracts.poolFactory)

const scene = (retention?: number) =>
  Effect.gen(function*() {
    const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox(retention === undefined ? {} : { retention })
    const { deployed } = yield* Effect.provideService(LendingDeployed, Network, network)
    const { sequence } = yield* Effect.map(network.snapshot, ({ state }) => ({ sequence: state.header.ledgerSeq }))
    const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
    return { address, network, pool: strkeyOf(deployed), rpcUrl: new URL(rpcUrl), sequence }
  })

const methodOf = (request: HttpClientRequest.HttpClientRequest): { readonly method: string; readonly params: object } =>
  request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : { method: "", params: {} }

/** A client whose contract RPC does not support a method. */
const without = (name: string, client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    methodOf(request).method === name
      ? Effect.succeed(
        HttpClientResponse.fromWeb(request, Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "method not found" } }))
      )
      : client.execute(request)
  )

/** A client that answers queryEvents from the contract RPC's events, one event a page. */
const archiveOver = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    Effect.gen(function*() {
      const { method, params } = methodOf(request)
      if (method !== "queryEvents") return yield* client.execute(request)
      const { cursor, filters, maxLedger, minLedger } = { ...queried, ...params } as typeof queried
      if (cursor === undefined) queried = { minLedger, maxLedger, filters }
      const at = Number(cursor ?? 0)
      const asked = HttpClientRequest.bodyUnsafeJson(request, {
        jsonrpc: "2.0",
        id: 1,
        method: "getEvents",
        params: { startLedger: queried.minLedger, endLedger: queried.maxLedger + 1, filters: queried.filters, pagination: { limit: 100 } }
      })
      const told = (yield* (yield* client.execute(asked)).json) as {
        readonly result: { readonly events: ReadonlyArray<{ readonly value: string }> }
      }
      const { events } = told.result
      const result = { events: events.slice(at, at + 1), ...(at + 1 < events.length ? { cursor: String(at + 1) } : {}), scanStatus: "any" }
      return HttpClientResponse.fromWeb(request, Response.json({ jsonrpc: "2.0", id: 1, result }))
    })
  )

let queried: { minLedger: number; maxLedger: number; filters: unknown; cursor?: string } = { minLedger: 0, maxLedger: 0, filters: [] }

const written = (text: string) =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) =>
      Effect.tap(Effect.map(files.makeTempDirectoryScoped(), (folder) => `${folder}/file`), (file) => files.writeFileString(file, text))
  )

describe("a contracts file that is scanned", () => {
  it.scopedLive("lists what its factories deployed since, and says up to which ledger it is whole", () =>
    Effect.gen(function*() {
      const { address, pool, sequence } = yield* scene()
      for (const [listed, first] of [[{}, 2], [{ listedTo: { [factory]: 1 } }, null]] as const) {
        const { document: written, lines } = yield* scanOver(address, { document: document(listed), firstLedger: first })
        const { lend_1 } = written.protocols
        assert.deepStrictEqual(lend_1 === "none" ? [] : lend_1["poolV2"]?.map(String), [strkeyOf(lendingContracts.pool), pool])
        assert.deepStrictEqual(written.listedTo, { [factory]: sequence })
        assert.lengthOf(lines, 2)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))

  it.scopedLive("keeps what it says of a protocol from another package, and tells that it was not scanned", () =>
    Effect.gen(function*() {
      const { address } = yield* scene()
      const outside = { vault: [strkeyOf(lendingContracts.oracle)] }
      const before = document({ listedTo: { [factory]: 1 } })
      const named = Schema.decodeUnknownSync(ContractsDocument)({
        ...before,
        protocols: { ...before.protocols, acme_vault: outside },
        code: { ...before.code, acme_vault: { vault: ["ac".repeat(32)] } }
      })
      const { document: written, isWhole, lines } = yield* scanOver(address, { document: named, firstLedger: null })
      assert.isTrue(isWhole)
      const name = OutsideProtocol.make("acme_vault")
      assert.deepStrictEqual<unknown>([written.protocols[name], written.code?.[name]], [outside, { vault: ["ac".repeat(32)] }])
      assert.include(lines, "acme_vault: not scanned, because its decoder is in another package")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))

  it.scopedLive("is not written where nobody says where its factories begin", () =>
    Effect.gen(function*() {
      const { address } = yield* scene()
      assert.instanceOf(yield* Effect.flip(scanOver(address, { document: document({}), firstLedger: null })), ScanRefused)
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))

  it.scopedLive("is whole up to the first ledger that no source tells, and the report names those ledgers", () =>
    Effect.gen(function*() {
      const { address } = yield* scene(4)
      for (const [listed, firstLedger] of [[{}, 2], [{ listedTo: { [factory]: 1 } }, null]] as const) {
        const { document: written, isWhole, lines } = yield* scanOver(address, { document: document(listed), firstLedger })
        assert.deepStrictEqual([isWhole, written.listedTo], [false, "listedTo" in listed ? listed.listedTo : undefined])
        assert.match(lines.at(-1) ?? "", /ledgers 2 to \d+ were told by no source$/)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))

  it.scopedLive("is scanned by whole ledgers, by queryEvents or by a list where events are refused, and the report names what failed", () =>
    Effect.gen(function*() {
      const { address, pool, rpcUrl, sequence } = yield* scene()
      const client = yield* HttpClient.HttpClient
      const strange = strkeyOf(lendingContracts.oracle)
      const file = yield* written(`pool,contract\n1,${pool}\n2,${strange}\n`)
      const sources = {
        ledgers: { after: [ledgersSource(jsonRpc(client), rpcUrl)] },
        archive: { after: [queryEventsSource(jsonRpc(archiveOver(client)), rpcUrl)] },
        vouched: { before: [yield* addressList(`${file}@${sequence}`)] }
      }
      for (const [name, given] of Object.entries(sources)) {
        const { document: found, isWhole, lines } = yield* Effect.provideService(
          scanOver(address, { document: document({}), firstLedger: 2, ...given }),
          HttpClient.HttpClient,
          without("getEvents", client)
        )
        const { lend_1 } = found.protocols
        assert.deepStrictEqual([isWhole, found.listedTo], [true, { [factory]: sequence }], `${name} ${lines.join()}`)
        assert.deepStrictEqual(lend_1 === "none" ? [] : lend_1["poolV2"]?.map(String), [strkeyOf(lendingContracts.pool), pool], name)
        if (name !== "vouched") assert.match(lines.join(), /getEvents of the configured endpoints told 0 ledgers, then failed/)
      }
      // A list without a ledger adds contracts that a factory confirms, and covers no ledgers.
      const listed = yield* Effect.provideService(
        scanOver(address, { document: document({}), firstLedger: 2, before: [yield* addressList(file)] }),
        HttpClient.HttpClient,
        without("getEvents", client)
      )
      assert.deepStrictEqual([listed.isWhole, listed.document.listedTo], [false, undefined])
      assert.include(JSON.stringify(listed.document.protocols.lend_1), pool)
      assert.notInclude(JSON.stringify(listed.document.protocols.lend_1), strange)
    }).pipe(Effect.provide([NodeHttpClient.layerUndici, NodeFileSystem.layer])))

  it.scopedLive("goes on where a scan was stopped", () =>
    Effect.gen(function*() {
      const { address, network, pool, rpcUrl } = yield* scene()
      for (let ledger = 0; ledger < 15; ledger++) yield* network.closeLedger()
      const { sequence } = yield* Effect.map(network.snapshot, ({ state }) => ({ sequence: state.header.ledgerSeq }))
      const client = without("getEvents", yield* HttpClient.HttpClient)
      const file = yield* written("")
      const asked: Array<number> = []
      const source = ledgersSource(jsonRpc(client), rpcUrl)
      const stopping = (mostWindows: number): ScanSource => ({
        ...source,
        read: (announcements, span) =>
          Effect.suspend(() => {
            if (asked.length >= mostWindows) return new ScanRefused({ reason: "stopped" })
            asked.push(span.from)
            return source.read(announcements, span)
          })
      })
      const run = (mostWindows: number) =>
        Effect.flatMap(progressIn(file), (progress) =>
          Effect.provideService(
            scanOver(address, { document: document({}), firstLedger: 2, progress, after: [stopping(mostWindows)] }),
            HttpClient.HttpClient,
            client
          ))
      const first = yield* run(1)
      assert.deepStrictEqual([first.isWhole, first.document.listedTo], [false, { [factory]: 11 }])
      const second = yield* run(100)
      assert.deepStrictEqual([second.isWhole, second.document.listedTo], [true, { [factory]: sequence }])
      assert.deepStrictEqual(asked, [...new Set(asked)])
      assert.include(JSON.stringify(second.document.protocols.lend_1), pool)
    }).pipe(Effect.provide([NodeHttpClient.layerUndici, NodeFileSystem.layer])))
})

import { assert, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import * as SourceClient from "../../src/serving/SourceClient.ts"

/** A server, and the header `x-key` of each request that it got. */
const listening = (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) =>
  Effect.gen(function*() {
    const keys: Array<string | undefined> = []
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const made = createServer((request, response) => {
          keys.push(request.headers["x-key"]?.toString())
          void answer(request, response)
        })
        made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
      }),
      (made) =>
        Effect.sync(() => {
          made.closeAllConnections()
          made.close()
        })
    )
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
  })

/** The same, which forwards every request. */
const passingOn = (url: string) =>
  listening(async (request, response) => {
    const body = request.method === "POST"
      ? { method: "POST", body: await text(request), headers: { "content-type": "application/json" } }
      : {}
    const answer = await fetch(`${url}${request.url === "/" ? "" : request.url}`, body)
    const latest = answer.headers.get("latest-ledger")
    response.writeHead(answer.status, latest === null ? {} : { "latest-ledger": latest }).end(await answer.text())
  })

it.scopedLive("a header of a contract RPC is sent to its own URL, and to no other, nor along a redirect", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl, passphrase, rpcUrl } = yield* startSandbox()
    const stranger = yield* listening((_, response) => void response.writeHead(500).end())
    const moved = yield* listening((_, response) => void response.writeHead(307, { location: stranger.url }).end())
    const [plain, own, api] = [yield* passingOn(rpcUrl), yield* passingOn(rpcUrl), yield* passingOn(ledgerApiUrl.replace(/\/$/, ""))]
    const settings = new Map(Object.entries({
      TESTNET_RPC_URLS: [moved.url, plain.url, own.url].join(","),
      TESTNET_RPC_HEADERS: "x-key: first,,X-Key: third",
      TESTNET_LEDGER_API_URLS: api.url,
      TESTNET_PASSPHRASE: passphrase
    }))
    const address = Option.getOrThrow(yield* Effect.withConfigProvider(NetworkSettings.config("testnet"), ConfigProvider.fromMap(settings)))
    const services = yield* Layer.build(
      Layer.mergeAll(ContractRpc.layer, LedgerApi.layer).pipe(
        Layer.provide([SourceClient.layer, Layer.succeed(NetworkSettings, address)])
      )
    )
    const [rpc, ledgerApi] = [Context.get(services, ContractRpc), Context.get(services, LedgerApi)]
    const surveyed = yield* rpc.survey
    assert.deepStrictEqual(surveyed.map(({ _tag }) => _tag), ["Silent", "Here", "Here"])
    yield* ledgerApi.latestLedger
    assert.deepStrictEqual([moved, plain, own, api, stranger].map(({ keys }) => [...new Set(keys)]), [["first"], [undefined], ["third"], [
      undefined
    ], []])
  }))

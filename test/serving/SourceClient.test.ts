import { HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Queue, Stream } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { exchange } from "../../src/chain/Exchange.ts"
import * as SourceClient from "../../src/serving/SourceClient.ts"

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** The address of a server with these answers. */
const serving = (answering: Answering) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const node = createServer(answering).listen(0, "127.0.0.1", () => resume(Effect.succeed(node)))
      }),
      (node) => Effect.async<void>((resume) => void (node.close(() => resume(Effect.void)), node.closeAllConnections()))
    ),
    (node) => new URL(`http://127.0.0.1:${(node.address() as AddressInfo).port}/path?with=parameters`)
  )

const asked = (client: HttpClient.HttpClient, url: URL) => exchange(client, { endpoint: url, method: "asked" }, HttpClientRequest.get(url))

describe("the client of sources", () => {
  it.scopedLive("sends what it is given and reads the whole answer, over connections that are kept", () =>
    Effect.gen(function*() {
      const sockets = new Set<unknown>()
      const url = yield* serving((request, response) => {
        sockets.add(request.socket)
        request.setEncoding("utf8").on("data", (body: string) => {
          const { "content-length": length, "content-type": type, "x-own": own } = request.headers
          const text = Buffer.from(`\uFEFFh\u00e9 ${JSON.stringify([request.method, request.url, body, type, length, own])}`)
          response.writeHead(203, { "Latest-Ledger": "7", "x-many": ["one", "two"] })
          // In the middle of a multi-byte character.
          response.write(text.subarray(0, 5))
          setImmediate(() => response.end(text.subarray(5)))
        })
      })
      const client = yield* HttpClient.HttpClient
      for (const turn of [1, 2, 3, 4]) {
        const request = HttpClientRequest.post(url, { headers: { "x-own": "mine" } }).pipe(HttpClientRequest.bodyUnsafeJson({ turn }))
        const answer = yield* client.execute(request)
        assert.strictEqual(answer.status, 203)
        assert.deepInclude({ ...answer.headers }, { "latest-ledger": "7", "x-many": "one, two" })
        const text = `h\u00e9 ${JSON.stringify(["POST", "/path?with=parameters", `{"turn":${turn}}`, "application/json", "10", "mine"])}`
        assert.strictEqual(yield* answer.text, text)
        assert.strictEqual(yield* Stream.mkString(Stream.decodeText(answer.stream)), text)
      }
      // A connection rests for a turn of the event loop before its reuse.
      assert.isAtMost(sockets.size, 2)
    }).pipe(Effect.provide(SourceClient.layer)))

  it.scopedLive("has 64 connections to one origin at most, and makes those to another wait for none of them", () =>
    Effect.gen(function*() {
      const held: Array<ServerResponse> = []
      let answersNow = false
      const busy = yield* serving((_, response) => void (answersNow ? response.end("late") : held.push(response)))
      const other = yield* serving((_, response) => void response.end("other"))
      const client = yield* HttpClient.HttpClient
      const all = yield* Effect.fork(Effect.forEach(Array.from({ length: 100 }), () => asked(client, busy), { concurrency: "unbounded" }))
      yield* Effect.repeat(asked(client, other), { until: () => held.length >= SourceClient.mostConnections })
      for (let more = 0; more < 5; more++) assert.strictEqual((yield* asked(client, other)).text, "other")
      assert.lengthOf(held, SourceClient.mostConnections)
      answersNow = true
      for (const response of held) response.end("early")
      assert.lengthOf((yield* Fiber.join(all)).filter(({ text }) => text === "late"), 100 - SourceClient.mostConnections)
    }).pipe(Effect.provide(SourceClient.layer)))

  it.scopedLive("believes no answer that breaks off, and tells it from a refusal that is whole", () =>
    Effect.gen(function*() {
      const silent = yield* serving((request) => void request.socket.destroy())
      const broken = yield* serving((_, response) => {
        response.writeHead(429, { "content-length": "100", "retry-after": "7" })
        response.write("slow", () => response.destroy())
      })
      const whole = yield* serving((_, response) => void response.writeHead(429, { "retry-after": "7" }).end("slow"))
      const client = yield* HttpClient.HttpClient
      const faults = yield* Effect.forEach(
        [silent, broken, new URL("http://127.0.0.1:1/"), whole],
        (url) => Effect.flip(asked(client, url))
      )
      const told = faults.map((fault) => fault._tag === "Throttled" ? String(fault.retryAfter) : fault.reason)
      assert.deepStrictEqual(told, ["connection", "connection", "connection", String(Duration.seconds(7))])
      const streamed = HttpClientRequest.bodyStream(HttpClientRequest.post(whole), Stream.empty)
      assert.strictEqual((yield* Effect.flip(client.execute(streamed))).reason, "Encode")
    }).pipe(Effect.provide(SourceClient.layer)))

  it.scopedLive("reads an answer no further than the largest there is, and closes its connection", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const part = Buffer.alloc(1024 * 1024, " ")
      const endless = yield* serving((request, response) => {
        request.socket.once("close", () => Deferred.unsafeDone(closed, Effect.void))
        const goOn = () => void response.write(part, (error) => error ?? goOn())
        goOn()
      })
      const crumbled = yield* serving(({ socket }) =>
        void socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(300_000)}`)
      )
      const large = yield* serving((_, response) => void response.end(Buffer.alloc(SourceClient.largestAnswer, " ")))
      const client = yield* HttpClient.HttpClient
      for (const url of [endless, crumbled]) {
        const fault = yield* Effect.flip(asked(client, url))
        assert.deepStrictEqual([fault._tag, fault._tag === "Throttled" ? "" : fault.reason], [
          "Unreachable",
          "a response that is too large"
        ])
      }
      yield* Deferred.await(closed)
      assert.lengthOf((yield* asked(client, large)).text, SourceClient.largestAnswer)
    }).pipe(Effect.provide(SourceClient.layer)))

  it.scopedLive("closes the connection of a call for which nobody waits any more, and sends none that is given up before", () =>
    Effect.gen(function*() {
      const events = yield* Queue.unbounded<string>()
      const url = yield* serving((request, response) => {
        const { pathname } = new URL(request.url ?? "", "http://localhost")
        events.unsafeOffer(`asked ${pathname}`)
        request.socket.once("close", () => void events.unsafeOffer(`closed ${pathname}`))
        if (pathname === "/half") response.write("half of")
        if (pathname === "/whole") response.end("whole")
      })
      const client = yield* HttpClient.HttpClient
      const never = yield* Effect.fork(asked(client, new URL("/never", url)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(never)
      for (const path of ["/silent", "/half"]) {
        const asking = yield* Effect.fork(asked(client, new URL(path, url)))
        assert.strictEqual(yield* Queue.take(events), `asked ${path}`)
        yield* Fiber.interrupt(asking)
        assert.strictEqual(yield* Queue.take(events), `closed ${path}`)
      }
      assert.strictEqual((yield* asked(client, new URL("/whole", url))).text, "whole")
      assert.strictEqual(yield* Queue.take(events), "asked /whole")
    }).pipe(Effect.provide(SourceClient.layer)))
})

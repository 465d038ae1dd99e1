import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { DrainingServer, type ListenerBounds, listenerBounds } from "../../src/http/DrainingServer.ts"
import { answers, answersIn, head, statuses } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"

/** A listener with limits that a test can reach, and a given application. */
const listening = (bounds: Partial<ListenerBounds>, application: RequestListener, originOf?: (request: IncomingMessage) => string) =>
  Effect.acquireRelease(
    Effect.promise(() => {
      const server = new DrainingServer({ ...listenerBounds, ...bounds }, originOf)
      server.on("request", application)
      return new Promise<DrainingServer>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)))
    }),
    (server) => Effect.sync(() => void server.close().closeAllConnections())
  ).pipe(Effect.map((server) => ({ server, port: (server.address() as AddressInfo).port })))

const fine: RequestListener = (_, response) => void response.end("fine")

/** Answers `/now` at once and no other path; `/slow` reports that the request arrived. */
const someNever: RequestListener = ({ url }, response) => {
  if (url === "/now") response.end("fine")
  if (url === "/slow") response.writeContinue()
}

const continued = "HTTP/1.1 100 Continue\r\n\r\n"

const get = (path = "/now") => head("GET", path, {})

/** A connection with a partly sent body of ten bytes. The application already has the request. */
const sending = (port: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.tap(rawSocket(port), (socket) =>
    Effect.zipRight(
      socket.write(`${head("POST", "/slow", { "content-length": "10", ...headers })}${body}`),
      socket.until((received) => received === continued)
    ))

const slowBody = (port: number) => sending(port, "12345")

/** Checks that an answer of the listener itself has the form of the service's errors. */
const isRefusal = (received: string) => {
  const last = answersIn(received).at(-1)
  assert.strictEqual(last?.status, 400)
  const { code, details, message } = JSON.parse(last?.body ?? "").error
  // Every answer that a client reads as the API's has all documented fields.
  assert.deepStrictEqual([code, details.reason], ["bad_request", message])
  assert.match(last?.headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/)
}

describe("a connection", () => {
  it("is kept longer than a balancer keeps its own, and a request is not waited for for long", () => {
    assert.isAbove(listenerBounds.idle, 60_000)
    assert.isAtMost(listenerBounds.head + listenerBounds.checked, 15_000)
    assert.isAtMost(listenerBounds.request + listenerBounds.checked, 35_000)
    // Slightly more than the longest deadline of a route.
    assert.isAbove(listenerBounds.grace, 120_000)
  })

  it.scopedLive("on which the head or the body of a request does not come in time is answered and closed", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ head: 60, request: 120, checked: 20 }, (request, response) =>
        void request.resume().on("end", () => response.end("fine")))
      const sockets = yield* Effect.all([rawSocket(port), rawSocket(port), rawSocket(port)])
      const [silent, slowHead, slowBody] = sockets
      yield* slowHead.write("GET / HTTP/1.1\r\nx-slow: ")
      yield* slowBody.write(`${head("POST", "/", { "content-length": "10" })}12345`)
      for (const socket of [silent, slowHead, slowBody]) {
        isRefusal(yield* socket.closed)
      }
    }))

  it.scopedLive("on which a request is answered before its body is there gets no second answer when the body does not come", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ head: 60, request: 120, checked: 20 }, (request, response) => {
        request.resume()
        response.writeHead(504, { "content-length": "8" }).end("too late")
      })
      const [slow, next] = yield* Effect.all([rawSocket(port), rawSocket(port)])
      yield* slow.write(`${head("POST", "/", { "content-length": "10" })}12345`)
      // Unreadable bytes after a whole request still get an error.
      yield* next.write(`${head("POST", "/", { "content-length": "1" })}1nonsense\r\n\r\n`)
      assert.deepStrictEqual(statuses(yield* slow.closed), ["504"])
      assert.deepStrictEqual(statuses(yield* next.closed), ["504", "400"])
    }))

  it.scopedLive("that is not used again is closed after its time", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ idle: 50 }, fine)
      const socket = yield* rawSocket(port)
      yield* socket.write(get())
      assert.deepStrictEqual(statuses(yield* socket.closed), ["200"])
    }))

  it.scopedLive("on which more waits than is allowed is closed, and what it asked for beyond reaches nobody", () =>
    Effect.gen(function*() {
      let reached = 0
      let given = 0
      const { port } = yield* listening({ unanswered: 4 }, (_, response) => {
        reached++
        response.on("close", () => given++)
      })
      const patient = yield* rawSocket(port)
      yield* patient.write(get("/never").repeat(4))
      const flood = yield* rawSocket(port)
      yield* flood.write(get("/never").repeat(5_000))
      yield* Effect.ignore(flood.closed)
      assert.isAtMost(reached, 8)
      // The client within the limit still waits: only the other's requests were aborted.
      yield* Effect.repeat(Effect.promise(() => new Promise((resolve) => setImmediate(resolve))), {
        until: () => Effect.sync(() => given >= reached - 4)
      })
      assert.strictEqual(given, reached - 4)
    }))

  it.scopedLive("may ask for as much as is allowed, again and again, each answered in its turn", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ unanswered: 4 }, fine)
      const socket = yield* rawSocket(port)
      for (let round = 1; round <= 3; round++) {
        yield* socket.write(get().repeat(4))
        yield* socket.until(answers(4 * round))
      }
    }))

  it.scopedLive("whose answer nobody takes is closed, however much of it there is", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<boolean>()
      const { port } = yield* listening({ unread: 100 }, (_, response) => {
        response.on("close", () => Deferred.unsafeDone(closed, Effect.succeed(response.writableFinished)))
        response.end(Buffer.alloc(32 * 1024 * 1024))
      })
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const socket = connect({ port, host: "127.0.0.1" }).pause().on("error", () => {})
          socket.write(get())
          return socket
        }),
        (socket) => Effect.sync(() => socket.destroy())
      )
      assert.isFalse(yield* Deferred.await(closed))
    }))

  it.scopedLive("that works longer than an answer may lie unread is left in peace", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ unread: 40 }, ({ url = "" }, response) =>
        void setTimeout(() => response.end("fine"), Number(url.slice(1))))
      const socket = yield* rawSocket(port)
      // The second answer is ready before the first and has to wait for it; the third comes long after both.
      yield* socket.write(get("/80") + get("/0") + get("/250"))
      assert.deepStrictEqual(statuses(yield* socket.until(answers(3))), ["200", "200", "200"])
    }))

  it.scopedLive("that was given up is closed though the other side keeps its half open", () =>
    Effect.gen(function*() {
      const { port, server } = yield* listening({ lingering: 50 }, fine)
      const closed = yield* Deferred.make<void>()
      server.once("connection", (socket) => socket.on("close", () => Deferred.unsafeDone(closed, Effect.void)))
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {}).resume()
          socket.write("nonsense\r\n\r\n")
          return socket
        }),
        (socket) => Effect.sync(() => socket.destroy())
      )
      yield* Deferred.await(closed)
    }))
})

describe("more connections than there is room for", () => {
  it.scopedLive("close those that were idle longest, of whoever holds most, and none that waits for an answer", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ connections: 5 }, someNever)
      const waiting = yield* rawSocket(port)
      yield* waiting.write(get("/never"))
      const other = yield* rawSocket(port, "127.0.0.2")
      yield* other.write(get())
      yield* other.until(answers(1))
      const opened = []
      for (let index = 0; index < 20; index++) {
        const socket = yield* rawSocket(port)
        // A used connection, so that the listener has accepted it before the next one.
        yield* socket.write(get())
        yield* socket.until(answers(1))
        opened.push(socket)
      }
      for (const socket of opened.slice(0, 17)) yield* socket.closed
      for (const socket of [other, ...opened.slice(17)]) {
        yield* socket.write(get())
        yield* socket.until(answers(2))
      }
    }))

  it.scopedLive("close the slow request bodies of the site that holds most, and no idle connection of another", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ connections: 5, slowBody: 0 }, someNever)
      const honest = yield* rawSocket(port, "127.0.0.2")
      yield* honest.write(get())
      yield* honest.until(answers(1))
      const dripping = yield* Effect.replicateEffect(slowBody(port), 4)
      const others = yield* Effect.replicateEffect(rawSocket(port, "127.0.0.3"), 2)
      for (const socket of others) {
        yield* socket.write(get())
        yield* socket.until(answers(1))
      }
      for (const socket of dripping.slice(0, 2)) assert.strictEqual(yield* socket.closed, continued)
      yield* honest.write(get())
      yield* honest.until(answers(2))
    }))

  it.scopedLive("are closed at once where all of them wait for answers", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ connections: 2 }, (_, response) => void response.writeContinue())
      const held = yield* Effect.all([rawSocket(port), rawSocket(port)])
      for (const socket of held) {
        yield* socket.write(get("/never"))
        yield* socket.until((received) => received.includes("100 Continue"))
      }
      const late = yield* rawSocket(port)
      assert.strictEqual(yield* Effect.orElseSucceed(late.closed, () => ""), "")
      yield* held[0].hangUp
      const next = yield* Effect.retry(
        Effect.gen(function*() {
          const socket = yield* rawSocket(port)
          yield* socket.write(get("/never"))
          return yield* socket.until((received) => received.includes("100 Continue"))
        }),
        { times: 100 }
      )
      assert.include(next, "100 Continue")
    }))
})

describe("request bodies under way", () => {
  it.scopedLive("are bounded for each client: the one under way for longest is given up", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ clientBodies: 3, slowBody: 0 }, someNever)
      const first = yield* slowBody(port)
      const second = yield* slowBody(port)
      yield* slowBody(port)
      yield* slowBody(port)
      assert.strictEqual(yield* first.closed, continued)
      yield* slowBody(port)
      assert.strictEqual(yield* second.closed, continued)
    }))

  it.scopedLive("are counted by the address that a trusted proxy names", () =>
    Effect.gen(function*() {
      const { port } = yield* listening({ clientBodies: 1, slowBody: 0 }, someNever, ({ headers }) => String(headers["x-forwarded-for"]))
      const [one, other] = [{ "x-forwarded-for": "192.0.2.1" }, { "x-forwarded-for": "192.0.2.2" }]
      const ofOne = yield* sending(port, "12345", one)
      const ofOther = yield* sending(port, "12345", other)
      yield* sending(port, "12345", other)
      assert.strictEqual(yield* ofOther.closed, continued)
      yield* sending(port, "12345", one)
      assert.strictEqual(yield* ofOne.closed, continued)
    }))

  it.scopedLive("do not count once they are there whole, though nobody has read them", () =>
    Effect.gen(function*() {
      const unanswered: Array<ServerResponse> = []
      const { port } = yield* listening({ clientBodies: 1, slowBody: 0 }, (_, response) => {
        unanswered.push(response)
        response.writeContinue()
      })
      const whole = yield* sending(port, "1234567890")
      const slow = yield* slowBody(port)
      yield* slowBody(port)
      assert.strictEqual(yield* slow.closed, continued)
      unanswered[0]?.end("fine")
      assert.include(yield* whole.until((received) => received.length > continued.length), "200 OK")
    }))
})

describe("a listener that ends", () => {
  it.scopedLive("does not wait for connections on which nothing comes", () =>
    Effect.gen(function*() {
      const { port, server } = yield* listening({ head: 50 }, fine)
      const silent = yield* rawSocket(port)
      const used = yield* rawSocket(port)
      yield* used.write(get())
      yield* used.until(answers(1))
      yield* Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
      yield* Effect.all([silent.closed, used.closed])
    }))
})

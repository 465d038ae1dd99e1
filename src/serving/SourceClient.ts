import {
  type Cookies,
  Headers,
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
  HttpIncomingMessage,
  UrlParams
} from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Effect, Inspectable, Layer, Option } from "effect"
import { tooLarge } from "../chain/Exchange.ts"
import { type CallGate, callGate } from "../chain/pace/AttemptWait.ts"

const utf8 = new TextDecoder()

/** What came of a request, as far as it has come. */
interface Arrived {
  readonly status: number
  readonly headers: Headers.Input
  readonly chunks: ReadonlyArray<Uint8Array>
}

/** An answer whose body is there already: to read its text waits for nothing. Forms of it that are seldom read are made only when read. */
class WholeResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly remoteAddress = Option.none<string>()
  readonly #arrived: Arrived

  constructor(request: HttpClientRequest.HttpClientRequest, arrived: Arrived) {
    super()
    this.request = request
    this.#arrived = arrived
  }

  get status(): number {
    return this.#arrived.status
  }

  get headers(): Headers.Headers {
    return Headers.fromInput(this.#arrived.headers)
  }

  get cookies(): Cookies.Cookies {
    return this.#web.cookies
  }

  get text(): Effect.Effect<string> {
    return Effect.sync(() => utf8.decode(this.#bytes))
  }

  get json(): Effect.Effect<unknown, HttpClientError.ResponseError> {
    return this.#web.json
  }

  get urlParamsBody() {
    return this.#web.urlParamsBody
  }

  get formData() {
    return this.#web.formData
  }

  get arrayBuffer() {
    return this.#web.arrayBuffer
  }

  get stream() {
    return this.#web.stream
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@effect/platform/HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  get #bytes(): Uint8Array {
    const [first, ...more] = this.#arrived.chunks
    return first === undefined || more.length > 0 ? Buffer.concat(this.#arrived.chunks) : first
  }

  get #web(): HttpClientResponse.HttpClientResponse {
    const { headers, status } = this
    return HttpClientResponse.fromWeb(this.request, new Response(this.#bytes.length === 0 ? null : this.#bytes, { status, headers }))
  }
}

/** Connections to one origin at the same time. Calls beyond that queue, which no request takes for silence of the endpoint. */
export const mostConnections = 64

type Resume = (outcome: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>) => void

/** Bytes of an answer that are read: twice what two hundred of the largest ledger entries take. A source that never ends is none. */
export const largestAnswer = 64 * 1024 * 1024

/** Pieces of an answer that are kept: a source may send it byte by byte, and each costs memory of its own. */
const mostPieces = 250_000

/** Collects one answer, and reports it when it is whole, or a failure when it cannot be completed any more. */
class Collecting implements Dispatcher.DispatchHandler {
  readonly #request: HttpClientRequest.HttpClientRequest
  readonly #resume: Resume
  readonly #chunks: Array<Uint8Array> = []
  #controller: Dispatcher.DispatchController | null = null
  #head: { readonly status: number; readonly headers: Headers.Input } | null = null
  #isCut = false
  #size = 0

  constructor(request: HttpClientRequest.HttpClientRequest, resume: Resume) {
    this.#request = request
    this.#resume = resume
  }

  /** No one waits for it any more: its connection is closed, or it is never sent. */
  cut(): void {
    this.#isCut = true
    this.#controller?.abort(new Error("cut off"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isCut) this.cut()
  }

  /** Comes again after each answer that is only informational. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers.Input): void {
    this.#head = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isCut) return
    this.#size += chunk.length
    if (this.#size <= largestAnswer && this.#chunks.length < mostPieces) {
      this.#chunks.push(chunk)
      return
    }
    this.#resume(new HttpClientError.RequestError({ request: this.#request, reason: "Transport", description: tooLarge }))
    this.#chunks.length = 0
    this.cut()
  }

  onResponseEnd(): void {
    if (this.#head !== null) this.#resume(Effect.succeed(new WholeResponse(this.#request, { ...this.#head, chunks: this.#chunks })))
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#resume(new HttpClientError.RequestError({ request: this.#request, reason: "Transport", cause }))
  }
}

const exchanged = (
  dispatcher: Dispatcher,
  gateOf: (origin: string) => CallGate,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> => {
  const { body, headers, method } = request
  if (body._tag !== "Empty" && body._tag !== "Uint8Array") {
    return new HttpClientError.RequestError({ request, reason: "Encode", description: "only plain bodies can be sent" })
  }
  const made = UrlParams.makeUrl(request.url, request.urlParams, request.hash)
  if (made._tag === "Left") return new HttpClientError.RequestError({ request, reason: "InvalidUrl", cause: made.left })
  const { hash, origin, pathname, search } = made.right
  return gateOf(origin)(Effect.async((resume) => {
    const collecting = new Collecting(request, resume)
    dispatcher.dispatch({
      origin,
      path: pathname + search + hash,
      method,
      headers,
      body: body._tag === "Empty" ? null : body.body,
      // Who waits says for how long.
      headersTimeout: 60 * 60 * 1000,
      bodyTimeout: 0
    }, collecting)
    return Effect.sync(() => collecting.cut())
  }))
}

/** A gate for each origin. */
const gates = () => {
  const made = new Map<string, CallGate>()
  return (origin: string): CallGate => {
    const gate = made.get(origin) ?? callGate(mostConnections)
    made.set(origin, gate)
    return gate
  }
}

/**
 * Asks over HTTP with undici, as the client of `@effect/platform-node` does: same connections, same headers, nothing unpacked or redirected.
 * It is there because that one costs twice what the exchange itself does: each call has a controller, a stream, several promises and a
 * finalizer of its own, so that an answer may be read bit by bit. Here it is read to its end at once, up to `largestAnswer`; one that breaks
 * off fails, and who stops waiting closes the connection. An origin has at most `mostConnections` calls at the same time. It makes no spans, which would hold whole URLs and with them credentials, and sends
 * no trace headers.
 */
const sourceClient = (dispatcher: Dispatcher): HttpClient.HttpClient => {
  const gateOf = gates()
  return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
    (asked) => Effect.flatMap(asked, (request) => exchanged(dispatcher, gateOf, request)),
    Effect.succeed
  )
}

/** The client with connections of its own, closed at the end. */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(NodeHttpClient.Dispatcher, sourceClient)
).pipe(Layer.provide(NodeHttpClient.dispatcherLayer))

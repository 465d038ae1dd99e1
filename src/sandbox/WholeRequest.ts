import { Headers, HttpIncomingMessage, type HttpMethod, HttpServerRequest } from "@effect/platform"
import { Effect, Inspectable, Option } from "effect"
import type { IncomingMessage } from "node:http"

const utf8 = new TextDecoder()

/** A request whose body is there already: to read its text waits for nothing. What is seldom asked of it is made when it is. */
export class WholeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly remoteAddress = Option.none<string>()
  readonly url: string
  readonly method: HttpMethod.HttpMethod
  readonly source: IncomingMessage
  readonly #body: Uint8Array
  #headers: Headers.Headers | undefined

  constructor(
    source: IncomingMessage,
    body: Uint8Array,
    { headers, url }: Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0] = {}
  ) {
    super()
    this.source = source
    this.url = url ?? this.originalUrl
    // Node's parser takes no other.
    this.method = (source.method ?? "GET") as HttpMethod.HttpMethod
    this.#body = body
    this.#headers = headers
  }

  get originalUrl(): string {
    return this.source.url ?? "/"
  }

  get headers(): Headers.Headers {
    return this.#headers ??= Headers.fromInput(this.source.headers)
  }

  get text(): Effect.Effect<string> {
    return Effect.sync(() => utf8.decode(this.#body))
  }

  get cookies() {
    return this.#web.cookies
  }

  get json() {
    return this.#web.json
  }

  get urlParamsBody() {
    return this.#web.urlParamsBody
  }

  get arrayBuffer() {
    return this.#web.arrayBuffer
  }

  get stream() {
    return this.#web.stream
  }

  get multipart() {
    return this.#web.multipart
  }

  get multipartStream() {
    return this.#web.multipartStream
  }

  get upgrade() {
    return this.#web.upgrade
  }

  modify(to: Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]): WholeRequest {
    return new WholeRequest(this.source, this.#body, { headers: this.headers, url: this.url, ...to })
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, { _id: "@effect/platform/HttpServerRequest", method: this.method, url: this.originalUrl })
  }

  get #web(): HttpServerRequest.HttpServerRequest {
    const { headers, method, url } = this
    const body = this.#body.length === 0 ? {} : { body: this.#body }
    return HttpServerRequest.fromWeb(new Request(new URL(url, "http://localhost"), { method, headers, ...body }))
  }
}

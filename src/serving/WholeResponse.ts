import {
  type Cookies,
  Headers,
  type HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
  HttpIncomingMessage
} from "@effect/platform"
import { Effect, Inspectable, Option } from "effect"

const utf8 = new TextDecoder()

/** What came of a request, as far as it has come. */
export interface Arrived {
  readonly status: number
  readonly headers: Headers.Input
  readonly chunks: ReadonlyArray<Uint8Array>
}

/** An answer whose body is there already: to read its text waits for nothing. What is seldom asked of it is made when it is. */
export class WholeResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
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

import { randomUUID } from "node:crypto"
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { ErrorTable } from "../api/ErrorTable.ts"

const text = (code: string, message: string): string => JSON.stringify({ error: { code, message } })

const draining = text(
  ErrorTable.KeyStoreUnavailable.code,
  "The service is shutting down. Send the request again; another or the restarted process answers it."
)

const unreadable = text(
  ErrorTable.BadRequest.code,
  "The request is not valid HTTP, too slow, or its headers are too long. Correct it and send it again."
)

const fixedHeaders = (body: string) => ({
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  "cache-control": "no-store",
  "x-request-id": randomUUID(),
  connection: "close"
})

/** An idle connection is kept longer than a balancer keeps its own (60 s as a rule), so that nobody sends into one that is just being closed. */
const longestIdle = 75_000

/**
 * A listener that ends without cutting anybody off. Once closed it takes no new connection, lets what is in flight finish,
 * answers what still comes in on open connections with 503, and after `graceMillis` ends what is left.
 * What cannot be read as HTTP at all gets the envelope too.
 */
export class DrainingServer extends Server {
  readonly #graceMillis: number
  readonly #inFlight = new Set<ServerResponse>()

  constructor(graceMillis: number) {
    super({
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: longestIdle,
      maxHeaderSize: 16_384,
      requireHostHeader: false
    })
    this.#graceMillis = graceMillis
    this.on("request", (request, response) => this.#received(request, response))
    this.on("checkExpectation", (request, response) => this.emit("request", request, response))
    this.on("clientError", (_, socket) => this.#unreadable(socket))
  }

  /** Nothing here speaks another protocol: an offer to change is passed over and the request answered as it is. */
  override listenerCount(event: string | symbol): number {
    return event === "upgrade" ? 0 : super.listenerCount(event)
  }

  override close(callback?: (error?: Error) => void): this {
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader("connection", "close")
    setTimeout(() => this.closeAllConnections(), this.#graceMillis).unref()
    return super.close(callback)
  }

  /** Nobody but this listener itself is left to answer: the application has gone. */
  #received(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight.add(response)
    response.on("close", () => this.#inFlight.delete(response))
    if (this.listenerCount("request") > 1) return
    request.resume()
    response.writeHead(503, { ...fixedHeaders(draining), "retry-after": "5" }).end(draining)
  }

  #unreadable(socket: Duplex): void {
    const halfAnswered = [...this.#inFlight].some((response) => response.socket === socket && response.headersSent)
    if (!socket.writable || halfAnswered) return void socket.destroy()
    const headers = Object.entries(fixedHeaders(unreadable)).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 400 Bad Request\r\n${headers.join("\r\n")}\r\n\r\n${unreadable}`)
  }
}

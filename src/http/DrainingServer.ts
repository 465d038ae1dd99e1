import { randomUUID } from "node:crypto"
import { IncomingMessage, Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Retry } from "../api/ErrorRow.ts"
import { ErrorTable } from "../api/ErrorTable.ts"
import { helpUrlOf } from "../domain/Help.ts"
import { Connections } from "./Connections.ts"
import { asPaths, type Links } from "./wire/HelpLinks.ts"

/** What is answered without the application. */
interface Refusal {
  readonly row: { readonly code: string; readonly status: number; readonly retry: Retry }
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  readonly details?: object
}

const draining: Refusal = {
  row: ErrorTable.ServiceBusy,
  message: "The service is shutting down. Send the request again: another process, or the restarted one, handles it.",
  headers: { "retry-after": "5" },
  details: { retryAfterSeconds: 5 }
}

const notReadable = "The request is not valid HTTP, too slow, or its headers are too long. Correct it and send it again."

const unreadable: Refusal = { row: ErrorTable.BadRequest, message: notReadable, headers: {}, details: { reason: notReadable } }

const noTunnel: Refusal = {
  row: ErrorTable.MethodNotAllowed,
  message: "This service opens no tunnels. GET /openapi.json lists all routes.",
  headers: { allow: "GET, HEAD, POST" },
  details: { allow: ["GET", "HEAD", "POST"] }
}

/** The envelope of a refusal under a request id of its own, and its headers. */
const enveloped = ({ details, headers, message, row: { code, retry } }: Refusal, links: Links) => {
  const requestId = randomUUID()
  const body = links(
    JSON.stringify({ error: { code, message, details: { ...details, retry, requestId, helpUrl: helpUrlOf("error", code) } } })
  )
  return {
    body,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-request-id": requestId,
      connection: "close",
      ...headers
    }
  }
}

/** An answer to what no request was made of. */
const plainAnswer = (refusal: Refusal, links: Links): string => {
  const { body, headers } = enveloped(refusal, links)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${refusal.row.status} ${STATUS_CODES[refusal.row.status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

/** Of codings of a body only one marks where it ends, as the last of them: without it a proxy in front may see another end. */
const endIsTold = ({ headers }: IncomingMessage): boolean =>
  (headers["transfer-encoding"] ?? "chunked").split(",").at(-1)?.trim().toLowerCase() === "chunked"

/** Milliseconds that a listener waits, and how much it takes at the same time. */
export interface ListenerBounds {
  /** For what is in flight when it ends. */
  readonly grace: number
  /** For the head of a request, from its first byte or the connection's beginning. */
  readonly head: number
  /** For a whole request. */
  readonly request: number
  /** For the next request of a connection. */
  readonly idle: number
  /** For a caller to take any more of its answer. */
  readonly unread: number
  /** For the other side to close what was given up. */
  readonly lingering: number
  /** How often heads and requests are looked at. */
  readonly checked: number
  readonly connections: number
  /** Requests of one connection that wait for their answers. */
  readonly unanswered: number
  /** Request bodies of one client that are under way. */
  readonly clientBodies: number
  /** Request bodies of one site (an IPv4 address or IPv6 network of 48 bits) that are under way. */
  readonly siteBodies: number
  /** After which a body that is under way may be given up for another. */
  readonly slowBody: number
}

/** What holds for the service. */
export const listenerBounds: ListenerBounds = {
  // Longer than the longest deadline, so that a request in flight is only cut off when something is stuck.
  grace: 125_000,
  head: 10_000,
  request: 30_000,
  // Longer than a balancer keeps its own (60 s as a rule), so that no one sends into a connection that is just being closed.
  idle: 75_000,
  unread: 30_000,
  lingering: 2_000,
  checked: 5_000,
  connections: 2_000,
  unanswered: 16,
  clientBodies: 50,
  siteBodies: 200,
  slowBody: 1_000
}

/**
 * A listener that ends without cutting anyone off. Once closed it takes no new connection, lets what is in flight finish, answers what
 * still comes in on open connections with 503, and after the grace ends what is left. Only who had connected and not said a word has one
 * request answered: a balancer sends it to no one else. What cannot be read as HTTP at all gets the envelope too. A client that is slow or
 * idle, does not take its answer, or asks for very much at once on one connection, is cut off.
 */
export class DrainingServer extends Server {
  readonly #bounds: ListenerBounds
  readonly #connections: Connections
  readonly #links: Links
  readonly #inFlight = new Set<ServerResponse>()
  /** The request that came last on each connection. */
  readonly #last = new WeakMap<Duplex, IncomingMessage>()
  /** Once it ends: connections that were made before, and on which nothing had been said. */
  #unheard: Set<Socket> | null = null

  /** `originOf` is the address a request comes from; the connection's where no proxy in front is trusted. `links`: how its own answers write links. */
  constructor(
    bounds: ListenerBounds,
    originOf = (request: IncomingMessage) => request.socket.remoteAddress ?? "unknown",
    links: Links = asPaths
  ) {
    super({
      requestTimeout: bounds.request,
      headersTimeout: bounds.head,
      connectionsCheckingInterval: bounds.checked,
      keepAliveTimeout: bounds.idle,
      maxHeaderSize: 16_384,
      requireHostHeader: false
    })
    this.#bounds = bounds
    this.#links = links
    this.#connections = new Connections(bounds, originOf)
    this.on("connection", (socket: Socket) => this.#connections.opened(socket))
    this.on("request", (request, response) => this.#received(request, response))
    this.on("checkExpectation", (request, response) => this.emit("request", request, response))
    this.on("connect", (_, socket) => this.#refuse(socket, noTunnel))
    this.on("clientError", (_, socket) => this.#unreadable(socket))
  }

  /** Nothing here speaks another protocol: an offer to change is passed over and the request answered as it is. */
  override listenerCount(event: string | symbol): number {
    return event === "upgrade" ? 0 : super.listenerCount(event)
  }

  /** A request too many on one connection, one whose end is not marked, and one that comes too late, do not reach the application. */
  override emit(event: string, ...parameters: ReadonlyArray<unknown>): boolean {
    const [request, response] = parameters
    if (event !== "request" || !(request instanceof IncomingMessage)) return super.emit(event, ...parameters)
    if (!endIsTold(request)) this.#unreadable(request.socket)
    else if (this.#connections.takes(request.socket)) {
      if (this.#isServed(request.socket)) super.emit(event, ...parameters)
      else this.#unserved(request, response as ServerResponse)
    }
    return true
  }

  /** Whether a request on that connection is for the application, which is there and stays. */
  #isServed(socket: Socket): boolean {
    return this.listenerCount("request") > 1 && this.#unheard?.delete(socket) !== false
  }

  override close(callback?: (error?: Error) => void): this {
    this.#unheard ??= new Set(this.#connections.unheard())
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader("connection", "close")
    // Node no longer looks at the clock now: who has not sent the head of a request by then sends none.
    setTimeout(() => this.#connections.closeIdle(), this.#bounds.head).unref()
    setTimeout(() => this.closeAllConnections(), this.#bounds.grace).unref()
    return super.close(callback)
  }

  /** Takes no new connection, and ends when the last one has; at once where it does not listen. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      if (this.listening) this.close(() => resolve())
      else resolve()
    })
  }

  #received(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    if (this.#unheard !== null) response.setHeader("connection", "close")
    this.#inFlight.add(response)
    this.#last.set(socket, request)
    this.#connections.asked(request, response)
    socket.setTimeout(0)
    response.on("prefinish", () => this.#waitForReader(socket))
    response.on("close", () => {
      this.#inFlight.delete(response)
      this.#connections.answered(socket, response)
      this.#waitForReader(socket)
    })
  }

  #unserved(request: IncomingMessage, response: ServerResponse): void {
    this.#received(request, response)
    request.resume()
    const { body, headers } = enveloped(draining, this.#links)
    response.writeHead(draining.row.status, headers).end(body)
  }

  /** Once nothing is worked on for a connection, the other side has to take what was answered. After that Node waits for its next request. */
  #waitForReader(socket: Socket): void {
    const waiting = this.#connections.waiting(socket)
    if (waiting.length > 0) socket.setTimeout(waiting.every(({ writableEnded }) => writableEnded) ? this.#bounds.unread : 0)
  }

  #unreadable(socket: Duplex): void {
    const open = [...this.#inFlight].filter((response) => response.socket === socket)
    const isHalfAnswered = open.some(({ headersSent }) => headersSent)
    // Its answer, such as a 504, did not wait for its body: what is wrong with the body gets no answer of its own.
    const isAnswered = open.length === 0 && this.#last.get(socket)?.complete === false
    if (!socket.writable || isHalfAnswered || isAnswered) return void socket.destroy()
    this.#refuse(socket, unreadable)
  }

  /** The last word on a connection. Who does not hang up is hung up on. */
  #refuse(socket: Duplex, refusal: Refusal): void {
    socket.on("error", () => {})
    socket.end(plainAnswer(refusal, this.#links))
    setTimeout(() => socket.destroy(), this.#bounds.lingering).unref()
  }
}

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { oneClient, oneSite } from "./request/ClientAddress.ts"

/** What a listener holds at the same time. */
interface Most {
  /** Connections in all. */
  readonly connections: number
  /** Requests of one connection that wait for their answers. */
  readonly unanswered: number
  /** Request bodies of one client that are not there whole. */
  readonly clientBodies: number
  /** The same of one site, which may be many clients. */
  readonly siteBodies: number
  /** Milliseconds after which a body that is not there whole may be given up for another. */
  readonly slowBody: number
}

/** What one site holds that may be closed for others, the longest held first. */
interface Held {
  readonly idle: Set<Socket>
  readonly bodies: Set<Socket>
}

/** The body of a request that has not arrived whole. */
interface Body {
  readonly request: IncomingMessage
  readonly client: string
  readonly site: string
  /** Milliseconds of a clock that never jumps. */
  readonly since: number
}

/** Whether a request declares a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** The value of a key, made where there is none. */
const valueIn = <Value>(map: Map<string, Value>, key: string, made: () => Value): Value => {
  const value = map.get(key) ?? made()
  map.set(key, value)
  return value
}

/**
 * The open connections of a listener. They are bounded: for a new one beyond the bound, one of the site that holds most is closed: its longest
 * idle one, or the one whose request body is under way for longest. A connection whose request is there whole is never closed for another. Bodies
 * under way are bounded by client and by site as well.
 */
export class Connections {
  readonly #most: Most
  readonly #originOf: (request: IncomingMessage) => string
  /** Of each connection, the answers that have not gone out. */
  readonly #waiting = new Map<Socket, Set<ServerResponse>>()
  readonly #bodies = new Map<Socket, Body>()
  readonly #bySite = new Map<string, Held>()
  readonly #byClient = new Map<string, Set<Socket>>()
  /** The site of each connection: a closed one no longer has an address. */
  readonly #sites = new WeakMap<Socket, string>()

  /** `originOf` is the address a request comes from, which behind a proxy is not the connection's. */
  constructor(most: Most, originOf: (request: IncomingMessage) => string) {
    this.#most = most
    this.#originOf = originOf
  }

  /** A connection was made. It is closed at once where there is no room, and none can be made. */
  opened(socket: Socket): void {
    if (this.#waiting.size >= this.#most.connections && !this.#makeRoom()) return void socket.destroy()
    this.#sites.set(socket, oneSite(socket.remoteAddress ?? "unknown"))
    this.#waiting.set(socket, new Set())
    this.#rest(socket)
    socket.once("close", () => this.#gone(socket))
  }

  /** Whether a connection may ask for more. One on which too much waits already is closed. */
  takes(socket: Socket): boolean {
    const waiting = this.#waiting.get(socket)
    if (waiting === undefined || socket.destroyed) return false
    if (waiting.size < this.#most.unanswered) return true
    socket.destroy()
    return false
  }

  /** The head of a request arrived, to be answered by that. Its body may still be under way. */
  asked(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    this.#unrest(socket)
    this.#waiting.get(socket)?.add(response)
    if (!hasBody(request)) return
    this.#begin(socket, request)
    request.once("end", () => this.#end(socket)).once("close", () => this.#end(socket))
  }

  /** An answer has gone out whole, or was given up. */
  answered(socket: Socket, response: ServerResponse): void {
    const waiting = this.#waiting.get(socket)
    waiting?.delete(response)
    if (waiting?.size === 0) this.#rest(socket)
  }

  /** What has not gone out whole to a connection. */
  waiting(socket: Socket): ReadonlyArray<ServerResponse> {
    return [...(this.#waiting.get(socket) ?? [])]
  }

  /** Connections on which nothing was said so far. */
  unheard(): ReadonlyArray<Socket> {
    return [...this.#waiting.keys()].filter(({ bytesRead }) => bytesRead === 0)
  }

  /** Closes every connection that waits for nothing. */
  closeIdle(): void {
    for (const [socket, waiting] of this.#waiting) if (waiting.size === 0) socket.destroy()
  }

  #gone(socket: Socket): void {
    this.#waiting.delete(socket)
    this.#unrest(socket)
    this.#end(socket)
  }

  #close(socket: Socket): void {
    this.#gone(socket)
    socket.destroy()
  }

  #siteOf(socket: Socket): string {
    return this.#sites.get(socket) ?? "unknown"
  }

  #heldBy(site: string): Held {
    return valueIn(this.#bySite, site, () => ({ idle: new Set(), bodies: new Set() }))
  }

  #forgetEmpty(site: string): void {
    const held = this.#bySite.get(site)
    if (held?.idle.size === 0 && held.bodies.size === 0) this.#bySite.delete(site)
  }

  #rest(socket: Socket): void {
    this.#heldBy(this.#siteOf(socket)).idle.add(socket)
  }

  #unrest(socket: Socket): void {
    const site = this.#siteOf(socket)
    this.#bySite.get(site)?.idle.delete(socket)
    this.#forgetEmpty(site)
  }

  #begin(socket: Socket, request: IncomingMessage): void {
    const origin = this.#originOf(request)
    const body = { request, client: oneClient(origin), site: oneSite(origin), since: performance.now() }
    this.#bodies.set(socket, body)
    const ofClient = valueIn(this.#byClient, body.client, () => new Set<Socket>()).add(socket)
    const ofSite = this.#heldBy(body.site).bodies.add(socket)
    for (const [sockets, most] of [[ofClient, this.#most.clientBodies], [ofSite, this.#most.siteBodies]] as const) {
      const slow = sockets.size > most ? this.#slowest(sockets) : null
      if (slow !== null && slow !== socket) this.#close(slow)
    }
  }

  #end(socket: Socket): void {
    const body = this.#bodies.get(socket)
    if (body === undefined) return
    this.#bodies.delete(socket)
    const ofClient = this.#byClient.get(body.client)
    ofClient?.delete(socket)
    if (ofClient?.size === 0) this.#byClient.delete(body.client)
    this.#bySite.get(body.site)?.bodies.delete(socket)
    this.#forgetEmpty(body.site)
  }

  /** The connection whose body is under way for longest, once that is slow. Bodies that arrived whole and were not read yet are passed over. */
  #slowest(sockets: ReadonlySet<Socket>): Socket | null {
    for (const socket of sockets) {
      const body = this.#bodies.get(socket)
      if (body !== undefined && !body.request.complete) return performance.now() - body.since > this.#most.slowBody ? socket : null
      this.#end(socket)
    }
    return null
  }

  #makeRoom(): boolean {
    let chosen: { readonly socket: Socket; readonly size: number } | null = null
    for (const { bodies, idle } of this.#bySite.values()) {
      const size = idle.size + bodies.size
      const [longestIdle] = idle
      const socket = longestIdle ?? this.#slowest(bodies)
      if (socket !== null && size > (chosen?.size ?? 0)) chosen = { socket, size }
    }
    if (chosen === null) return false
    this.#close(chosen.socket)
    return true
  }
}

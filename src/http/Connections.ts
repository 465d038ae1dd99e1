import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { oneClient } from "./request/ClientAddress.ts"

/** What a listener holds at the same time. */
interface Most {
  /** Connections in all. */
  readonly connections: number
  /** Requests of one connection that wait for their answers. */
  readonly unanswered: number
}

/**
 * The open connections of a listener. They are bounded: for a new one beyond the bound the connection that has been idle longest is closed,
 * of the client that holds most idle ones, so that whoever opens many closes their own. One with a request in flight is never closed for
 * another.
 */
export class Connections {
  readonly #most: Most
  /** Of each connection, the answers that have not gone out. */
  readonly #waiting = new Map<Socket, Set<ServerResponse>>()
  /** By client, the longest idle first. */
  readonly #idle = new Map<string, Set<Socket>>()
  /** A connection that is closed no longer tells whose it was. */
  readonly #clients = new WeakMap<Socket, string>()

  constructor(most: Most) {
    this.#most = most
  }

  /** A connection was made. It is closed at once where there is no room, and none can be made. */
  opened(socket: Socket): void {
    if (this.#waiting.size >= this.#most.connections && !this.#makeRoom()) return void socket.destroy()
    this.#clients.set(socket, oneClient(socket.remoteAddress ?? "unknown"))
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

  /** A request arrived, to be answered by that. */
  asked(socket: Socket, response: ServerResponse): void {
    this.#unrest(socket)
    this.#waiting.get(socket)?.add(response)
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
  }

  #clientOf(socket: Socket): string {
    return this.#clients.get(socket) ?? "unknown"
  }

  #rest(socket: Socket): void {
    const client = this.#clientOf(socket)
    const idle = this.#idle.get(client) ?? new Set()
    this.#idle.set(client, idle.add(socket))
  }

  #unrest(socket: Socket): void {
    const client = this.#clientOf(socket)
    const idle = this.#idle.get(client)
    idle?.delete(socket)
    if (idle?.size === 0) this.#idle.delete(client)
  }

  #makeRoom(): boolean {
    let most: ReadonlySet<Socket> = new Set()
    for (const idle of this.#idle.values()) if (idle.size > most.size) most = idle
    const [longest] = most
    if (longest === undefined) return false
    this.#gone(longest)
    longest.destroy()
    return true
  }
}

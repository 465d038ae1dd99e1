import { Effect } from "effect"
import { connect, type Socket } from "node:net"

/** The bytes of a connection so far, and its end. */
export interface RawSocket {
  /** Sends bytes as they are. */
  readonly write: (bytes: string | Uint8Array) => Effect.Effect<void>
  /** Waits until the received bytes satisfy the test. A connection that ends before fails. */
  readonly until: (test: (received: string) => boolean) => Effect.Effect<string, Error>
  /** Waits until the other side has closed the connection, and returns all received bytes. */
  readonly closed: Effect.Effect<string, Error>
  /** Hangs up. */
  readonly hangUp: Effect.Effect<void>
}

const waitFor = (socket: Socket, done: () => Effect.Effect<string, Error> | null) =>
  Effect.async<string, Error>((resume) => {
    const check = () => {
      const outcome = done()
      if (outcome === null) return
      socket.off("data", check).off("close", check)
      resume(outcome)
    }
    socket.on("data", check).on("close", check)
    check()
  })

/**
 * A plain TCP connection to a loopback port, for bytes that no proper HTTP client sends; from another loopback address where `from` is
 * given.
 */
export const rawSocket = (port: number, from = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.async<RawSocket, Error>((resume) => {
      let received = ""
      let end: Error | "closed" | null = null
      const socket = connect({ port, host: "127.0.0.1", localAddress: from })
      socket.setEncoding("utf8")
      socket.on("data", (chunk: string) => received += chunk)
      socket.on("error", (error) => {
        end = error
        resume(Effect.fail(error))
      })
      socket.on("close", () => end ??= "closed")
      socket.on("connect", () =>
        resume(Effect.succeed({
          write: (bytes) => Effect.async<void>((written) => void socket.write(bytes, () => written(Effect.void))),
          until: (test) =>
            waitFor(socket, () => {
              if (test(received)) return Effect.succeed(received)
              return end === null ? null : Effect.fail(new Error(`ended (${end}) after: ${received}`))
            }),
          closed: waitFor(socket, () => {
            if (end === null) return null
            return end === "closed" ? Effect.succeed(received) : Effect.fail(end)
          }),
          hangUp: Effect.sync(() => socket.destroy())
        })))
    }),
    (socket) => socket.hangUp
  )

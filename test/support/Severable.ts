import { Effect } from "effect"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * A proxy to a server on this machine that can be cut: its connections then end and new ones are rejected, as with a stopped server. After
 * the repair it accepts new ones at the same port.
 */
export const severable = (target: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { hostname, port } = new URL(target)
      const open = new Set<Socket>()
      const server = createServer((near) => {
        const far = connect(Number(port), hostname)
        for (const [one, other] of [[near, far], [far, near]] as const) {
          open.add(one)
          one.pipe(other)
          one.on("error", () => other.destroy()).on("close", () => void (open.delete(one), other.destroy()))
        }
      })
      const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve))
      await listen(0)
      const at = (server.address() as AddressInfo).port
      const url = new URL(target)
      url.hostname = "127.0.0.1"
      url.port = String(at)
      const cut = () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          for (const socket of open) socket.destroy()
        })
      return {
        url: url.href,
        cut: Effect.promise(cut),
        mend: Effect.promise(() => listen(at)),
        end: () => (server.listening ? cut() : null)
      }
    }),
    ({ end }) => Effect.promise(async () => void (await end()))
  )

import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A federation server on this machine that gives every name this answer (JSON); the name of someone there. */
export const federatedName = (answer: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const { port } = server.address() as AddressInfo
        const isToml = request.url === "/.well-known/stellar.toml"
        response.end(isToml ? `FEDERATION_SERVER="http://127.0.0.1:${port}/federation"\n` : answer)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => `someone*127.0.0.1:${(server.address() as AddressInfo).port}`))

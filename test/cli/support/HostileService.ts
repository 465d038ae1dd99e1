import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A preflight report of an account whose blocker has the given words. */
export const blockedReport = (address: string, words: string) => ({
  address,
  network: "testnet",
  ledger: 7,
  readAt: "2026-01-01T00:00:00.000Z",
  mergeable: false,
  status: "blocked",
  blockers: [{ reason: "auth_immutable", count: 1, message: words, helpUrl: "/docs" }],
  decisions: [],
  transactionCount: null,
  lumens: { held: "1.0000000", atLeast: null }
})

/** A server that answers every request with this body. */
export const hostile = (body: unknown) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

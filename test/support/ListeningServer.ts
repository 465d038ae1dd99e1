import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** An HTTP server on a free loopback port, for as long as the scope lives. An answer that fails cuts the connection. */
export const listeningServer = (
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
): Effect.Effect<URL, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => {
    const address = server.address()
    return new URL(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`)
  }))

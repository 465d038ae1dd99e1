import { Effect } from "effect"
import { createServer, request as requestTo } from "node:http"
import type { AddressInfo } from "node:net"

/** A proxy that passes this many requests a second, and answers 429 to all others, and to the first ones where that is wanted. */
export const limitedProxy = (target: string, perSecond: number, firstRefused = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { hostname, port } = new URL(target)
      const counts = { passed: 0, refused: 0 }
      let [tokens, filled] = [perSecond, performance.now()]
      const isAllowed = () => {
        const now = performance.now()
        tokens = Math.min(perSecond, tokens + ((now - filled) / 1000) * perSecond)
        filled = now
        if (tokens < 1) return false
        tokens--
        return true
      }
      const server = createServer((near, answer) => {
        if (counts.refused < firstRefused || !isAllowed()) {
          counts.refused++
          near.resume()
          answer.writeHead(429, { "retry-after": "1" }).end()
          return
        }
        counts.passed++
        const { headers, method, url } = near
        const far = requestTo({ hostname, port, path: url, method, headers }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
        })
        far.on("error", () => answer.destroy())
        near.on("error", () => far.destroy()).pipe(far)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

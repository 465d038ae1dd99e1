import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import type { Remembered } from "./Memory.ts"

const textOf = (origin: string, agent: Agent, { body, path }: Remembered) =>
  new Promise<string>((resolve, reject) => {
    const headers = body === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const outgoing = request(`${origin}${path}`, { agent, method: body === null ? "GET" : "POST", headers }, (answer) => {
      const parts: Array<Buffer> = []
      answer.on("data", (part: Buffer) => parts.push(part))
      answer.on("end", () => resolve(Buffer.concat(parts).toString()))
    })
    outgoing.on("error", reject)
    outgoing.end(body ?? undefined)
  })

/** Decodes the ledger entries of an answer; returns their count. */
const decoded = (text: string): number => {
  const entries: ReadonlyArray<{ readonly xdr: string }> = JSON.parse(text).result?.entries ?? []
  return entries.map((entry) => xdr.LedgerEntryData.fromXDR(entry.xdr, "base64")).length
}

/**
 * A bare server of Node until the scope closes. For each page it sends such requests to an origin in parallel, parses the answers, decodes
 * the ledger entries in them and writes a fixed answer. Returns its address.
 */
export const handWritten = (
  origin: string,
  pages: ReadonlyMap<string, { readonly asks: ReadonlyArray<Remembered>; readonly answer: unknown }>
) =>
  Effect.gen(function*() {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ keepAlive: true })),
      (one) => Effect.sync(() => one.destroy())
    )
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        createServer(async (incoming, response) => {
          const page = pages.get(incoming.url ?? "/")
          if (page === undefined) return response.writeHead(404).end()
          const texts = await Promise.all(page.asks.map((one) => textOf(origin, agent, one)))
          for (const text of texts) decoded(text)
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page.answer))
        })
      ),
      (one) =>
        Effect.sync(() => {
          one.close()
          one.closeAllConnections()
        })
    )
    yield* Effect.promise(() => new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume)))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** One request to the network, and its answer. */
export interface Remembered {
  readonly path: string
  /** Null for a GET. */
  readonly body: string | null
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: string
}

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const passedOn = ["content-type", "latest-ledger"]

const askedOf = async (origin: string, path: string, body: string | null): Promise<Remembered> => {
  const answer = await fetch(
    `${origin}${path}`,
    body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body }
  )
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => passedOn.includes(name)))
  return { path, body, status: answer.status, headers, answer: await answer.text() }
}

/**
 * A server before a network that forwards each request once and then answers from memory; `take` returns the requests since its last call.
 */
export const memoryOf = async (origin: string) => {
  const known = new Map<string, Promise<Remembered>>()
  let asked: Array<Promise<Remembered>> = []
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? await read(request) : null
    const path = request.url ?? "/"
    const key = JSON.stringify([path, body])
    const answer = known.get(key) ?? askedOf(origin, path, body)
    known.set(key, answer)
    asked.push(answer)
    const told = await answer
    response.writeHead(told.status, told.headers).end(told.answer)
  })
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  const take = () => {
    const all = Promise.all(asked)
    asked = []
    return all
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, take }
}

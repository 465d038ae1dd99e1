import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Passed {
  readonly asked: IncomingMessage
  readonly body: Buffer
}

const whole = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Array<Uint8Array> = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** One instance's whole answer. Fails where the instance exits before that. */
const sent = (instance: string, { asked, body }: Passed) =>
  new Promise<{ readonly answer: IncomingMessage; readonly body: Buffer }>((resolve, reject) => {
    const options = {
      method: asked.method ?? "GET",
      headers: { ...asked.headers, connection: "close", "x-forwarded-for": "192.0.2.1" },
      agent: false
    }
    request(`${instance}${asked.url ?? "/"}`, options, (answer) => {
      whole(answer).then((told) => resolve({ answer, body: told }), reject)
    }).on("error", reject).end(body)
  })

/** The answer's headers without those of the connection to the instance. */
const passedOn = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).flatMap(([name, value = ""]) => (name === "connection" ? [] : [name, value].flat()))

/** Requests that are safe to repeat, as in `deploy/nginx.conf`. */
const mayBeSentAgain = ({ method, url = "" }: IncomingMessage): boolean => method === "GET" || url.startsWith("/v1/")

/**
 * A minimal balancer over the present addresses in `instances`: in turns, and to the next where one is gone and the request is safe to
 * repeat; else 502. It counts its own 502 answers.
 */
export const balancerOver = (instances: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let [turn, dropped] = [0, 0]
      const pass = async (asked: IncomingMessage, answering: ServerResponse) => {
        const passed = { asked, body: await whole(asked) }
        const tries = mayBeSentAgain(asked) ? instances.length : 1
        // Tries each instance once, independent of parallel requests.
        const first = turn++
        for (let count = 0; count < tries; count++) {
          const instance = instances[(first + count) % instances.length] ?? ""
          const told = await sent(instance, passed).catch(() => null)
          if (told === null) continue
          answering.writeHead(told.answer.statusCode ?? 502, passedOn(told.answer.headers)).end(told.body)
          return
        }
        dropped++
        answering.writeHead(502).end("{}")
      }
      const server = createServer((asked, answering) => void pass(asked, answering))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, dropped: () => dropped }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

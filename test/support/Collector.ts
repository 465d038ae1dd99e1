import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A received span, in OTLP's JSON. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly status: { readonly code?: number; readonly message?: string }
}

interface Message {
  readonly resourceSpans: ReadonlyArray<{ readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<CollectedSpan> }> }>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

/** A small collector of traces on loopback: it accepts JSON at `/v1/traces`. */
export const collector = Effect.acquireRelease(
  Effect.promise(async () => {
    const spans: Array<CollectedSpan> = []
    const server = createServer(async (request, response) => {
      const isOurs = request.method === "POST" && request.url === "/v1/traces" && request.headers["content-type"] === "application/json"
      const message: Message = JSON.parse(await textOf(request))
      for (const { scopeSpans } of isOurs ? message.resourceSpans : []) spans.push(...scopeSpans.flatMap((scope) => scope.spans))
      response.writeHead(isOurs ? 200 : 400, { "content-type": "application/json" }).end("{}")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { server, spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

/** An attribute of a span, as text. */
export const attributeOf = ({ attributes }: CollectedSpan, name: string): string | undefined => {
  const found = attributes.find(({ key }) => key === name)
  return found === undefined ? undefined : String(Object.values(found.value)[0])
}

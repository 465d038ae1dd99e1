import { appendFileSync } from "node:fs"
import { IncomingMessage, Server, ServerResponse } from "node:http"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"

/** The file that exchanges are appended to, one JSON object a line. */
const file = process.env["RECORD_EXAMPLES"] ?? ""

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync
}

const plain = (body: Buffer, encoding: string): string => (decoders[encoding]?.(body) ?? body).toString("utf8")

/** A header that was set, or passed to `writeHead`, which does not store it. */
const headerIn = (head: ReadonlyArray<unknown>, name: string): string => {
  const given = head.find((part) => typeof part === "object" && part !== null) ?? {}
  return String(Object.entries(given).find(([key]) => key.toLowerCase() === name)?.[1] ?? "")
}

interface Seen {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly sent: ReadonlyArray<Buffer>
  readonly received: ReadonlyArray<Buffer>
  readonly head: ReadonlyArray<unknown>
}

const record = ({ head, received, request, response, sent }: Seen) => {
  const header = (name: string) => String(response.getHeader(name) ?? headerIn(head, name))
  // Only answers of the service carry this header: the sandbox's own endpoints do not.
  if (header("x-request-id") === "") return
  const exchange = {
    method: request.method,
    path: request.url,
    accept: request.headers.accept,
    request: Buffer.concat(sent).toString("utf8"),
    status: response.statusCode,
    contentType: header("content-type"),
    response: plain(Buffer.concat(received), header("content-encoding"))
  }
  appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}

const listen = (request: IncomingMessage, response: ServerResponse): void => {
  const sent: Array<Buffer> = []
  const received: Array<Buffer> = []
  const keep = (list: Array<Buffer>, chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) list.push(Buffer.from(chunk as string))
  }
  const push = request.push.bind(request)
  request.push = (chunk: unknown, encoding?: BufferEncoding) => (keep(sent, chunk), push(chunk, encoding))
  for (const method of ["write", "end"] as const) {
    const original = response[method].bind(response) as (...given: ReadonlyArray<unknown>) => never
    response[method] = (...given: ReadonlyArray<unknown>) => (keep(received, given[0]), original(...given))
  }
  const head: Array<unknown> = []
  const writeHead = response.writeHead.bind(response) as (...given: ReadonlyArray<unknown>) => never
  response.writeHead = (...given: ReadonlyArray<unknown>) => (head.push(...given), writeHead(...given))
  response.once("finish", () => record({ request, response, sent, received, head }))
}

/** Files of one worker share its libraries, so a mark shows that a listener exists. */
const marked = Symbol.for("test/support/Recorder")

if (!(marked in Server.prototype)) {
  const { emit } = Server.prototype
  Object.assign(Server.prototype, {
    [marked]: true,
    emit(this: Server, event: string, ...given: ReadonlyArray<unknown>): boolean {
      const [request, response] = given
      if (event === "request" && request instanceof IncomingMessage && response instanceof ServerResponse) listen(request, response)
      return Reflect.apply(emit, this, [event, ...given])
    }
  })
}

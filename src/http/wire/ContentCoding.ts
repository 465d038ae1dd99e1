import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect } from "effect"
import type { Transform } from "node:stream"
import { promisify } from "node:util"
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib"
import { lazily } from "../../fibers/Lazily.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { Place } from "../route/Place.ts"

/** The content codings of answers, the preferred one first; `identity` is none. */
export const codings = ["br", "gzip", "identity"] as const
export type ContentCoding = (typeof codings)[number]

const synonyms: ReadonlyMap<string, string> = new Map([["x-gzip", "gzip"]])

/** The quality of one entry, from 0 to 1. What is no quality counts as 0, so that nothing is sent that was not asked for. */
const qualityIn = (parameters: ReadonlyArray<string>): number => {
  const given = parameters.map((one) => one.trim().toLowerCase()).find((one) => one.startsWith("q="))
  if (given === undefined) return 1
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0
}

/** Every coding that `Accept-Encoding` names, with its quality. */
const qualities = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((entry) => {
      const [name = "", ...parameters] = entry.split(";")
      const coding = name.trim().toLowerCase()
      return [synonyms.get(coding) ?? coding, qualityIn(parameters)]
    })
  )

/**
 * The coding that a client likes best by its `Accept-Encoding` (RFC 9110, section 12.5.3). Without the header, and where the client accepts none that
 * is known here, an answer goes out as it is.
 */
export const codingFor = (header: string | undefined): ContentCoding => {
  if (header === undefined) return "identity"
  const given = qualities(header)
  const others = given.get("*") ?? 0
  // Not named, it is accepted and liked least.
  const qualityOf = (coding: ContentCoding): number => given.get(coding) ?? (coding === "identity" ? 0 : others)
  return codings.reduce<ContentCoding>(
    (best, coding) => (coding !== "identity" && qualityOf(coding) > 0 && qualityOf(coding) > qualityOf(best) ? coding : best),
    "identity"
  )
}

type Answer = HttpServerResponse.HttpServerResponse

/** Shorter answers would gain nothing. Bytes. */
const leastBytes = 1024

const texts = /^(text\/|application\/(json|x-ndjson)\b)/

type Compressor = (bytes: Uint8Array) => Promise<Uint8Array>

type Compressing = Exclude<ContentCoding, "identity">

/** Work of Node's thread pool, not of the event loop. The richest plan of the demo takes 1 ms of a core with either. */
const compressors = (quality: Readonly<Record<Compressing, number>>): Readonly<Record<Compressing, Compressor>> => {
  const [inBrotli, inGzip] = [promisify(brotliCompress), promisify(gzip)]
  return {
    br: (bytes) => {
      const hints = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      return inBrotli(bytes, { params: { ...hints, [constants.BROTLI_PARAM_QUALITY]: quality.br } })
    },
    gzip: (bytes) => inGzip(bytes, { level: quality.gzip })
  }
}

const quick = compressors({ br: 8, gzip: 6 })

const thorough = compressors({ br: 9, gzip: 9 })

/** The bytes of an answer that is the same for everyone, in each coding, made once. */
const kept = objectMemo((bytes: Uint8Array) => ({ br: lazily(() => thorough.br(bytes)), gzip: lazily(() => thorough.gzip(bytes)) }))

/** What is written comes out at once: a line waits for none after it. */
const inPieces: Readonly<Record<Compressing, () => Transform>> = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH })
}

/** An `ETag` names bytes as they are sent: each coding has its own. */
export const codedTag = (etag: string, coding: ContentCoding): string => (coding === "identity" ? etag : etag.replace(/"$/, `-${coding}"`))

const codedAs = (answer: Answer, body: HttpBody.HttpBody, coding: Compressing): Answer => {
  const { etag } = answer.headers
  return HttpServerResponse.setHeaders(HttpServerResponse.setBody(answer, body), {
    "content-encoding": coding,
    ...(etag === undefined ? {} : { etag: codedTag(etag, coding) })
  })
}

const encoded = (answer: Answer, coding: Compressing): Effect.Effect<Answer> => {
  const { body } = answer
  if (body._tag === "Stream") {
    const pieces = NodeStream.pipeThroughDuplex(body.stream, inPieces[coding], (cause) => cause)
    return Effect.succeed(codedAs(answer, HttpBody.stream(pieces, body.contentType), coding))
  }
  if (body._tag !== "Uint8Array" || body.body.length <= leastBytes) return Effect.succeed(answer)
  const bytes = body.body
  const compressed = answer.headers["etag"] === undefined ? () => quick[coding](bytes) : kept(bytes)[coding]
  return Effect.map(Effect.promise(compressed), (made) => codedAs(answer, HttpBody.uint8Array(made, body.contentType), coding))
}

/** The coding of what a request is answered with: none on a route whose answers carry a secret, and where there is no such route. */
export const answerCoding = ({ headers }: HttpServerRequest.HttpServerRequest, ways: ReadonlyArray<Place>): ContentCoding | null =>
  ways.some(({ carriesSecret }) => carriesSecret) ? null : codingFor(headers["accept-encoding"])

/** An answer in a coding, with `Vary`; null: as it is, for every client alike. */
export const compressed = (answer: Answer, coding: ContentCoding | null): Effect.Effect<Answer> => {
  const isText = texts.test(answer.headers["content-type"] ?? "")
  if (coding === null || !(isText || answer.status === 304)) return Effect.succeed(answer)
  const varying = HttpServerResponse.setHeader(answer, "vary", "Accept-Encoding")
  return coding === "identity" || !isText ? Effect.succeed(varying) : encoded(varying, coding)
}

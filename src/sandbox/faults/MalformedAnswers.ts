import { HttpServerResponse } from "@effect/platform"
import { StrKey } from "@stellar/stellar-sdk"
import { Effect, Predicate, Schema } from "effect"
import { type ApiRequest, rpcAnswer } from "./ApiRequest.ts"

const garbage = "<html>{\"almost\": json"

export class GarbageBody extends Schema.TaggedClass<GarbageBody>("GarbageBody")("GarbageBody", {}, {
  description: "200 with a body that calls itself JSON and is not."
}) {
  answer() {
    return Effect.succeed(HttpServerResponse.text(garbage, { contentType: "application/json" }))
  }
}

const unexpectedRecord = { unexpected: true }

export class WrongShape extends Schema.TaggedClass<WrongShape>("WrongShape")("WrongShape", {}, {
  description: "200 with well-formed JSON that is no answer to the question: an unknown record, or a JSON-RPC result of one."
}) {
  answer(request: ApiRequest) {
    return Effect.succeed(
      request._tag === "RpcRequest"
        ? rpcAnswer(request, () => ({ result: unexpectedRecord }))
        : HttpServerResponse.unsafeJson(unexpectedRecord)
    )
  }
}

/** Kinds of entries, by their number in XDR. */
const entryKinds = [
  "accounts",
  "trustlines",
  "offers",
  "data",
  "claimableBalances",
  "liquidityPools",
  "contractData",
  "contractCode",
  "configSettings"
] as const

const rewritablePlaces = [
  ...entryKinds,
  "entryExtensions",
  "events",
  "simulatedResults",
  "simulatedAgreements",
  "simulatedChanges",
  "simulatedResources",
  "envelopes",
  "results",
  "headers"
] as const

export type RewritablePlace = (typeof rewritablePlaces)[number]

/** An arm that no union of any protocol has. */
const unknownArm = Buffer.from([0, 0, 0, 77])

/** The number that stands at a byte is that of an unknown arm. */
const armAt = (text: string, at: number): string => {
  const bytes = Buffer.from(text, "base64")
  return Buffer.concat([bytes.subarray(0, at), unknownArm, bytes.subarray(at + unknownArm.length)]).toString("base64")
}

const poolKind = entryKinds.indexOf("liquidityPools")

/** Where the first union of an entry begins, behind its kind: pools have the 32 bytes of their id before it. */
const firstUnion = (kind: number): number => (kind === poolKind ? 36 : 4)

const kindIn = (text: string, at = 0): number => Buffer.from(text, "base64").readInt32BE(at)

/** A kind, how XDR names an account, and its key. */
const accountEntry = (address: string): string => `${"0".repeat(16)}${Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString("hex")}`

/** Where the arm of the value begins in a header whose value has no upgrades: version, two hashes, time, their count. */
const headerArm = 4 + 32 + 32 + 8 + 4

type Fields = Readonly<Record<string, unknown>>

/** Writes one field of an answer anew; undefined: it stays as it is. */
type Rewrite = (text: string, fault: UnknownArms, beside: Fields) => string | undefined

const at = (place: RewritablePlace, position: number): Rewrite => (text, fault) => (fault.has(place) ? armAt(text, position) : undefined)

/** The entry that a key stands for, or, where nothing stands beside it, what a simulated call returns. */
const entryOrResult: Rewrite = (text, fault, beside) => {
  if (!("extXdr" in beside)) return fault.has("simulatedResults") ? armAt(text, 0) : undefined
  const kind = kindIn(text)
  const place = entryKinds[kind]
  return place !== undefined && fault.has(place) && !fault.isSpared(text) ? armAt(text, firstUnion(kind)) : undefined
}

/** An entry with the ledger that modified it last in front. */
const changedEntry: Rewrite = (text, fault) => (fault.has("simulatedChanges") ? armAt(text, 4 + firstUnion(kindIn(text, 4))) : undefined)

/** By the names that fields have in answers of both APIs. */
const rewrites: Readonly<Record<string, Rewrite>> = {
  xdr: entryOrResult,
  extXdr: (text, fault, { xdr }) => (fault.has("entryExtensions") && !fault.isSpared(`${xdr}`) ? armAt(text, 0) : undefined),
  value: (text, fault, beside) => ("topic" in beside && fault.has("events") ? armAt(text, 0) : undefined),
  before: changedEntry,
  after: changedEntry,
  transactionData: at("simulatedResources", 0),
  auth: at("simulatedAgreements", 0),
  envelopeXdr: at("envelopes", 4),
  envelope_xdr: at("envelopes", 4),
  resultXdr: at("results", 8),
  result_xdr: at("results", 8),
  errorResultXdr: at("results", 8),
  headerXdr: at("headers", headerArm)
}

const rewritten = (value: unknown, fault: UnknownArms, name: string | null = null, beside: Fields = {}): unknown => {
  if (Array.isArray(value)) return value.map((one) => rewritten(one, fault, name, beside))
  if (Predicate.isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rewritten(one, fault, key, value)]))
  }
  const rewrite = name === null || typeof value !== "string" ? undefined : rewrites[name]
  return rewrite?.(`${value}`, fault, beside) ?? value
}

export class UnknownArms extends Schema.TaggedClass<UnknownArms>("UnknownArms")("UnknownArms", {
  in: Schema.optionalWith(Schema.NonEmptyArray(Schema.Literal(...rewritablePlaces)), { exact: true }),
  except: Schema.optionalWith(Schema.NonEmptyArray(Schema.String.pipe(Schema.filter(StrKey.isValidEd25519PublicKey))), { exact: true })
}, {
  description:
    "XDR in answers has an arm that no protocol has: everywhere, or in the places named. The own entries of the accounts in `except` stay as they are."
}) {
  has(place: RewritablePlace): boolean {
    return this.in === undefined || this.in.includes(place)
  }

  isSpared(entry: string): boolean {
    const bytes = Buffer.from(entry, "base64").toString("hex")
    return (this.except ?? []).some((address) => bytes.startsWith(accountEntry(address)))
  }

  /** An answer with such arms; one that is no JSON stays as it is. */
  rewrite(response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse {
    if (response.body._tag !== "Uint8Array" || !response.body.contentType.includes("json")) return response
    const answer: unknown = JSON.parse(new TextDecoder().decode(response.body.body))
    const text = JSON.stringify(rewritten(answer, this))
    return HttpServerResponse.setBody(response, HttpServerResponse.text(text, { contentType: response.body.contentType }).body)
  }
}

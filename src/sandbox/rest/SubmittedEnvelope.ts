import { HttpServerRequest } from "@effect/platform"
import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Problem } from "./Problem.ts"

const unsupported = new Problem({
  status: 415,
  type: "unsupported_media_type",
  title: "Unsupported Media Type",
  detail: "The only supported content type is application/x-www-form-urlencoded."
})

const malformed = (raw: string) =>
  new Problem({
    status: 400,
    type: "transaction_malformed",
    title: "Transaction Malformed",
    detail: "The parameter tx is not a TransactionEnvelope in base64; it is repeated in extras.envelope_xdr.",
    extras: { envelope_xdr: raw }
  })

/** The envelope in the form field `tx`, as text and decoded. */
export const submittedEnvelope = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== undefined && type !== "application/x-www-form-urlencoded") return yield* unsupported
  const form = yield* Effect.mapError(request.urlParamsBody, () => malformed(""))
  const raw = form.find(([name]) => name === "tx")?.[1] ?? ""
  const envelope = yield* Effect.try({
    try: () => xdr.TransactionEnvelope.fromXdr(raw, "base64"),
    catch: () => malformed(raw)
  })
  return { raw, envelope }
})

import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { Network } from "../Network.ts"
import { submittedEnvelope } from "./SubmittedEnvelope.ts"

const answers = {
  pending: { tx_status: "PENDING", status: 201 },
  duplicate: { tx_status: "DUPLICATE", status: 409 },
  try_again_later: { tx_status: "TRY_AGAIN_LATER", status: 503 }
} as const

/** `POST /transactions_async`: what the queue said, without waiting for a ledger. */
export const submitTransactionAsync = HttpRouter.makeRoute(
  "POST",
  "/transactions_async",
  Effect.gen(function*() {
    const { envelope } = yield* submittedEnvelope
    const network = yield* Network
    const { facts: { hash }, verdict } = yield* network.submit(envelope)
    if (typeof verdict !== "string") {
      return HttpServerResponse.unsafeJson(
        { tx_status: "ERROR", hash, error_result_xdr: xdrBase64(verdict.rejected) },
        { status: 400 }
      )
    }
    const { status, tx_status } = answers[verdict]
    return HttpServerResponse.unsafeJson({ tx_status, hash }, { status })
  })
)

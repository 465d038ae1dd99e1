import { HttpClientResponse } from "@effect/platform"
import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { type Between, methodOf } from "../../account/support/World.ts"

/** A result that no operation came to. */
export const refusing = (result: xdr.TransactionResultResult, feeCharged = 0n): Uint8Array =>
  new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() }).toXdr()

/** A contract RPC that refuses every envelope with this result, and the number of envelopes so far. */
export const refusingRpc = (result: Uint8Array) => {
  let sent = 0
  const errorResultXdr = Buffer.from(result).toString("base64")
  const answer = { jsonrpc: "2.0", id: 1, result: { status: "ERROR", hash: "0".repeat(64), latestLedger: 5, errorResultXdr } }
  const between: Between = (request, send) => {
    if (methodOf(request) !== "sendTransaction") return send
    sent++
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer))))
  }
  return { between, sent: () => sent }
}

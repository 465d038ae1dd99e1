import { HttpServerResponse } from "@effect/platform"
import type { Asked, AskedCall } from "./Asked.ts"

/** A contract RPC answer whose every call gets the given member beside its id. */
export const rpcAnswer = (
  { calls, isBatch }: Extract<Asked, { readonly api: "rpc" }>,
  member: (call: AskedCall) => object
): HttpServerResponse.HttpServerResponse => {
  const replies = calls.map((call) => ({ jsonrpc: "2.0", id: call.id, ...member(call) }))
  return HttpServerResponse.unsafeJson(isBatch ? replies : replies[0])
}

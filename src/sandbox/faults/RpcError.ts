import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { Asked } from "./Asked.ts"
import { rpcAnswer } from "./RpcAnswer.ts"

export class RpcError extends Schema.TaggedClass<RpcError>("RpcError")("RpcError", {
  code: Schema.Int,
  message: Schema.String
}, {
  description: "A JSON-RPC error in place of every result, with status 200: -32603 an internal one, -32001 too long a computation."
}) {
  answer(asked: Asked) {
    const { code, message } = this
    return Effect.succeed(
      asked.api === "rpc" ? rpcAnswer(asked, () => ({ error: { code, message } })) : HttpServerResponse.empty({ status: 500 })
    )
  }
}

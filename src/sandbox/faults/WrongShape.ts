import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { Asked } from "./Asked.ts"
import { rpcAnswer } from "./RpcAnswer.ts"

const UNEXPECTED = { unexpected: true }

export class WrongShape extends Schema.TaggedClass<WrongShape>("WrongShape")("WrongShape", {}, {
  description: "200 with well-formed JSON that is no answer to the question: an unknown record, or a JSON-RPC result of one."
}) {
  answer(asked: Asked) {
    return Effect.succeed(
      asked.api === "rpc" ? rpcAnswer(asked, () => ({ result: UNEXPECTED })) : HttpServerResponse.unsafeJson(UNEXPECTED)
    )
  }
}

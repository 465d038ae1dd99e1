import { Effect, Schema } from "effect"
import { afterwards } from "./Afterwards.ts"
import type { Asked } from "./Asked.ts"
import { refusal } from "./Refusal.ts"

export class GatewayTimeout extends Schema.TaggedClass<GatewayTimeout>("GatewayTimeout")("GatewayTimeout", { afterwards }, {
  description: "504: the answer took too long somewhere behind the server."
}) {
  answer(asked: Asked) {
    return Effect.succeed(refusal(asked, { status: 504, type: "timeout", title: "Timeout" }))
  }
}

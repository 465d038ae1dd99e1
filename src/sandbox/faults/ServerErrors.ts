import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { type ApiRequest, errorResponse, retryAfter, rpcAnswer } from "./ApiRequest.ts"
import { afterwards } from "./Connection.ts"

const titles = {
  service_unavailable: "Service Unavailable",
  stale_history: "Historical DB Is Too Stale",
  still_ingesting: "Still Ingesting",
  server_over_capacity: "Server Over Capacity"
} as const

export class ServiceUnavailable extends Schema.TaggedClass<ServiceUnavailable>("ServiceUnavailable")("ServiceUnavailable", {
  retryAfterSeconds: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }),
  problem: Schema.optionalWith(
    Schema.Literal("service_unavailable", "stale_history", "still_ingesting", "server_over_capacity"),
    { exact: true }
  ).annotations({ description: "Which problem the ledger API gives as the reason." })
}, {
  description: "503: the server answers nobody for now."
}) {
  answer(request: ApiRequest) {
    const problem = this.problem ?? "service_unavailable"
    return Effect.succeed(
      errorResponse(request, { status: 503, type: problem, title: titles[problem] }, retryAfter(this.retryAfterSeconds))
    )
  }
}

export class GatewayTimeout extends Schema.TaggedClass<GatewayTimeout>("GatewayTimeout")("GatewayTimeout", { afterwards }, {
  description: "504: the answer took too long somewhere behind the server."
}) {
  answer(request: ApiRequest) {
    return Effect.succeed(errorResponse(request, { status: 504, type: "timeout", title: "Timeout" }))
  }
}

export class RpcError extends Schema.TaggedClass<RpcError>("RpcError")("RpcError", {
  code: Schema.Int,
  message: Schema.String
}, {
  description: "A JSON-RPC error in place of every result, with status 200: -32603 an internal one, -32001 too long a computation."
}) {
  answer(request: ApiRequest) {
    const { code, message } = this
    return Effect.succeed(
      request._tag === "RpcRequest" ? rpcAnswer(request, () => ({ error: { code, message } })) : HttpServerResponse.empty({ status: 500 })
    )
  }
}

import { HttpApiBuilder, type HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Networks } from "../../Networks.ts"
import { acceptedResponse, errorResponse, type Message, messageIn, resultResponse, rpcCodes } from "../mcp/Message.ts"
import { initialized, versionFailure } from "../mcp/ProtocolVersion.ts"
import { callResult } from "../mcp/ToolAnswer.ts"
import { toolCalls } from "../mcp/ToolCalls.ts"
import { toolList } from "../mcp/ToolList.ts"
import { jsonValue } from "../request/Body.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** Whether a request comes from a page of another origin: MCP has servers reject those. */
const isOfOtherOrigin = ({ headers: { host, origin } }: HttpServerRequest.HttpServerRequest): boolean =>
  origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)

const dispatch = (calls: ReturnType<typeof toolCalls>) => ({ id, method, params }: Extract<Message, { readonly _tag: "Request" }>) =>
  Effect.suspend((): Effect.Effect<Answer> => {
    const result = (value: object) => Effect.succeed(resultResponse(id, JSON.stringify(value)))
    switch (method) {
      case "initialize":
        return result(initialized(params))
      case "ping":
        return result({})
      case "tools/list":
        return result(toolList())
      case "tools/call": {
        const call = calls.get(String(params["name"]))
        return call === undefined
          ? Effect.succeed(errorResponse(id, { code: rpcCodes.params, message: "There is no such tool. tools/list names them." }))
          : Effect.map(Effect.flatMap(call(params["arguments"] ?? {}), callResult), (json) => resultResponse(id, json))
      }
      default:
        return Effect.succeed(errorResponse(id, { code: rpcCodes.method, message: "There is no such method." }))
    }
  })

/** Answers one message. Nothing is kept between two requests. */
const answered = (networks: Context.Tag.Service<Networks>) => {
  const dispatched = dispatch(toolCalls(networks))
  return (request: HttpServerRequest.HttpServerRequest, body: unknown): Effect.Effect<Answer> => {
    const message = messageIn(body)
    const id = message._tag === "Notification" ? null : message.id
    if (message._tag === "Invalid") return Effect.succeed(errorResponse(id, { code: rpcCodes.request, message: message.reason }, 400))
    const failure = versionFailure(request.headers["mcp-protocol-version"])
    if (failure !== null) return Effect.succeed(errorResponse(id, failure, 400))
    return message._tag === "Notification" ? Effect.succeed(acceptedResponse()) : dispatched(message)
  }
}

const foreign = { code: rpcCodes.request, message: "Pages of other origins may not call this endpoint." }

/** Handlers of the group `mcp`. */
export const layer = HttpApiBuilder.group(Api, "mcp", (handlers) =>
  Effect.map(Networks, (networks) => {
    const answer = answered(networks)
    return handlers.handleRaw("call", ({ request }) =>
      isOfOtherOrigin(request)
        ? Effect.succeed(errorResponse(null, foreign, 403))
        : jsonValue(request).pipe(
          Effect.flatMap((body) => answer(request, body)),
          Effect.catchTag(
            "InvalidBody",
            ({ issues: [issue] }) =>
              Effect.succeed(errorResponse(null, { code: rpcCodes.parse, message: `The body ${issue?.message ?? "is not JSON"}.` }, 400))
          )
        ))
  }))

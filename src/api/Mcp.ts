import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { optional } from "../domain/OptionalField.ts"
import { Checked } from "./Checked.ts"
import { nameOf } from "./Parameter.ts"
import { bodyFailures } from "./RouteFailures.ts"
import { closeBodyBytes, deadlines, DeadlineSeconds, MaxBodyBytes } from "./RouteLimits.ts"
import { ApiKeyAuth } from "./Security.ts"

const version = Schema.Literal("2.0").annotations({ description: "Version of JSON-RPC." })

/** The id of a request: its sender chooses it. */
const MessageId = Schema.Union(Schema.String, Schema.Int).annotations({
  jsonSchema: { type: ["string", "integer"], description: "Id of the request, chosen by its sender." },
  description: "Id of the request, chosen by its sender."
})

const anything = (description: string) =>
  Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    jsonSchema: { type: "object", additionalProperties: true, description },
    description
  })

/** A message of an MCP client: a request of JSON-RPC, or without `id` a notification. */
const McpRequest = Schema.Struct({
  jsonrpc: version,
  id: optional(MessageId),
  method: Schema.String.annotations({ description: "`initialize`, `ping`, `tools/list`, `tools/call`, or a notification." }),
  params: optional(anything("Parameters of the method."))
}).annotations({ identifier: "McpRequest", description: "One JSON-RPC message of an MCP client. Without `id` it is a notification." })

/** A failure of the protocol: a method, tool or version that does not exist, or a message that is none. */
const McpError = Schema.Struct({
  code: Schema.Int.annotations({ description: "A code of JSON-RPC, for instance -32601 for an unknown method." }),
  message: Schema.String.annotations({ description: "For people." }),
  data: optional(anything("More about it."))
}).annotations({ identifier: "McpError", description: "A failure of the protocol. Failures of tools are results with `isError`." })

/** The answer to a request: `result`, or `error`. */
const McpResponse = Schema.Struct({
  jsonrpc: version,
  id: Schema.NullOr(MessageId).annotations({
    jsonSchema: { type: ["string", "integer", "null"], description: "Id of the request. Null: it could not be read." }
  }),
  result: optional(anything("The result, as MCP defines it for the method.")),
  error: optional(McpError)
}).annotations({ identifier: "McpResponse", description: "A JSON-RPC response: either `result` or `error` is present." })

/** Answer to a notification. */
const accepted = HttpApiSchema.Empty(202).annotations({ description: "A notification was accepted." })

/** A failure of the protocol with a status of its own. */
const refused = (status: number) => McpResponse.annotations({ ...nameOf(McpResponse), ...HttpApiSchema.annotations({ status }) })

const call = HttpApiEndpoint.post("call", "/mcp")
  .setPayload(McpRequest)
  .addSuccess(McpResponse)
  .addSuccess(accepted)
  .addError(refused(400))
  .addError(refused(403))
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.submit)
  .annotate(OpenApi.Identifier, "callMcp")
  .annotate(OpenApi.Summary, "Call a tool as an agent")
  .annotate(
    OpenApi.Description,
    "The MCP endpoint (Model Context Protocol, streamable HTTP) for agents. It keeps no session, streams nothing, and signs nothing. " +
      "Its six tools do what the other routes do. A failure of a tool is a result with `isError` and the error of this API inside. " +
      "A failure of the protocol is a JSON-RPC `error`, with status 400 where the message cannot be read or its protocol version is not supported. " +
      "A page of another origin gets 403. " +
      "`GET /mcp` is 405."
  )

/** Tools for agents. */
export class Mcp extends HttpApiGroup.make("mcp")
  .add(call)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "The tools that agents call by MCP.")
{}

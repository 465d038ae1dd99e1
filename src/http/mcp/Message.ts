import type * as McpSchema from "@effect/ai/McpSchema"
import { HttpServerResponse } from "@effect/platform"

/** The id of a request, as its sender chose it. */
export type MessageId = string | number

/** One message of a client. A notification, and an answer to a question that was never asked, need no response. */
export type Message =
  | { readonly _tag: "Request"; readonly id: MessageId; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Notification" }
  | { readonly _tag: "Invalid"; readonly id: MessageId | null; readonly reason: string }

/** The codes of JSON-RPC. */
export const rpcCodes = {
  parse: -32700 satisfies typeof McpSchema.PARSE_ERROR_CODE,
  request: -32600 satisfies typeof McpSchema.INVALID_REQUEST_ERROR_CODE,
  method: -32601 satisfies typeof McpSchema.METHOD_NOT_FOUND_ERROR_CODE,
  params: -32602 satisfies typeof McpSchema.INVALID_PARAMS_ERROR_CODE
}

/** A failure of the protocol. */
export type RpcError = typeof McpSchema.McpError.Encoded

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is MessageId => typeof value === "string" || Number.isSafeInteger(value)

const requestOf = ({ id, method, params = {} }: Readonly<Record<string, unknown>>): Message => {
  if (typeof method !== "string") return { _tag: "Invalid", id: null, reason: "The message has no method." }
  if (id === undefined) return { _tag: "Notification" }
  if (!isId(id)) return { _tag: "Invalid", id: null, reason: "The id of a request is a text or a whole number." }
  return isFields(params) ? { _tag: "Request", id, method, params } : { _tag: "Invalid", id, reason: "params is an object." }
}

/** The message that a body holds. A batch is none: MCP has no batches. */
export const messageIn = (value: unknown): Message => {
  if (!isFields(value)) return { _tag: "Invalid", id: null, reason: "Send one JSON-RPC message, an object. Batches are not supported." }
  if (value["jsonrpc"] !== "2.0") return { _tag: "Invalid", id: null, reason: "jsonrpc is \"2.0\"." }
  if (value["method"] === undefined && ("result" in value || "error" in value)) return { _tag: "Notification" }
  return requestOf(value)
}

const contentType = "application/json"

/** The response to a request, with the result as JSON text. */
export const resultResponse = (id: MessageId, json: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`, { contentType })

/** The response to a message that fails by the protocol. */
export const errorResponse = (id: MessageId | null, error: RpcError, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify({ jsonrpc: "2.0", id, error }), { contentType, status })

/** The response to a notification. */
export const acceptedResponse = (): HttpServerResponse.HttpServerResponse => HttpServerResponse.empty({ status: 202 })

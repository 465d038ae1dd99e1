import type * as McpSchema from "@effect/ai/McpSchema"
import { apiVersion } from "../../api/Index.ts"
import { rpcCodes, type RpcError } from "./Message.ts"
import { notice } from "./ToolDefinitions.ts"

/** The revisions of MCP that are served, the newest first: those with streamable HTTP and without batches. */
const supported = ["2025-11-25", "2025-06-18"] as const

const newest = supported[0]

const isSupported = (version: unknown): version is (typeof supported)[number] => supported.some((one) => one === version)

/** The failure of a request whose `MCP-Protocol-Version` names a revision that is not served; null: it names one, or none. */
export const versionFailure = (header: string | undefined): RpcError | null =>
  header === undefined || isSupported(header)
    ? null
    : { code: rpcCodes.params, message: "Unsupported protocol version", data: { supported, requested: header.slice(0, 32) } }

const instructions =
  "Closes accounts on the Stellar network: everything in an account is sold, paid out or removed, and its lumens go to a destination of the owner's. " +
  "The order: preflight, plan_close until its status is ready, then next_transaction, the owner signs, submit, and next_transaction again until its status is complete. " +
  "The destination, every decision, and every amount in `confirm` are the owner's to choose: ask. " +
  "The tools sign nothing. Never ask for a secret key and never send one; a request that holds one is rejected. " +
  `A failed call is a result with isError: branch on error.code, and let error.details.retry decide what to do next. ${notice}`

/** The answer to `initialize`. Nothing is kept: a client may call tools without it. */
export const initialized = ({ protocolVersion }: Readonly<Record<string, unknown>>): typeof McpSchema.InitializeResult.Encoded => ({
  protocolVersion: isSupported(protocolVersion) ? protocolVersion : newest,
  capabilities: { tools: {} },
  serverInfo: { name: "account-closeout", version: apiVersion },
  instructions
})

import { Schema } from "effect"
import { RPC_METHOD_NAMES, type RpcMethodName } from "../rpc/RpcMethodName.ts"
import { ArchivedLeftOut } from "./ArchivedLeftOut.ts"
import type { Asked } from "./Asked.ts"
import { CutConnection } from "./CutConnection.ts"
import { DroppedTransaction } from "./DroppedTransaction.ts"
import { GarbageBody } from "./GarbageBody.ts"
import { GatewayTimeout } from "./GatewayTimeout.ts"
import { Hang } from "./Hang.ts"
import { LaggingLedgerApi } from "./LaggingLedgerApi.ts"
import { Latency } from "./Latency.ts"
import { LedgerCapacity } from "./LedgerCapacity.ts"
import { ManualRestoration } from "./ManualRestoration.ts"
import { RpcError } from "./RpcError.ts"
import { ServiceUnavailable } from "./ServiceUnavailable.ts"
import { SurgeBaseFee } from "./SurgeBaseFee.ts"
import { TooManyRequests } from "./TooManyRequests.ts"
import { TryAgainLater } from "./TryAgainLater.ts"
import { WrongShape } from "./WrongShape.ts"

/** Faults that answer a request in place of the network. */
const either = [TooManyRequests, ServiceUnavailable, GatewayTimeout, Hang, CutConnection, GarbageBody, WrongShape] as const

/** How often a rule bites: that many requests, submissions or ledgers; left out, until it is cleared. */
const times = { times: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true }) }

const PATTERN = /^(?:(?:GET|POST) )?\/[^ ]*$/

/** A contract RPC method. */
const rpc = Schema.optionalWith(Schema.Literal("*", ...RPC_METHOD_NAMES), { exact: true })

/** A path of the ledger API, parameters written as in `/accounts/:id`, where needed after `GET ` or `POST `. */
const rest = Schema.optionalWith(
  Schema.Union(
    Schema.Literal("*"),
    Schema.String.pipe(Schema.pattern(PATTERN, { message: () => "a path such as /accounts/:id or POST /transactions" }))
  ),
  { exact: true }
)

/** A fault of requests. It meets those named by `rpc` or `rest`; without either, all of both APIs. */
const OfRequests = Schema.Struct({ fault: Schema.Union(...either, Latency), rpc, rest, ...times })
const OfRpcRequests = Schema.Struct({ fault: RpcError, rpc, ...times })
const OfRestRequests = Schema.Struct({ fault: LaggingLedgerApi, rest, ...times })

/** A fault of the network itself: of submissions, or of the ledgers that close. */
const OfNetwork = Schema.Struct({ fault: Schema.Union(DroppedTransaction, TryAgainLater, SurgeBaseFee, LedgerCapacity), ...times })

/** A fault of one method of the contract RPC, which answers as older versions of it did. */
const OfMethod = Schema.Struct({ fault: Schema.Union(ManualRestoration, ArchivedLeftOut), ...times })

/** A fault, what it meets and how often. */
export const FaultRule = Schema.Union(OfRequests, OfRpcRequests, OfRestRequests, OfNetwork, OfMethod)
export type FaultRule = typeof FaultRule.Type
export type Fault = FaultRule["fault"]

/** A fault that gives the answer itself. */
export type AnsweringFault = InstanceType<(typeof either)[number]> | RpcError

const segmentsMatch = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(":") || part === "*" || part === given[at])
}

const pathMatches = (pattern: string, method: string, path: string): boolean => {
  if (pattern === "*") return true
  const [first = "", second] = pattern.split(" ")
  return second === undefined ? segmentsMatch(first, path) : first === method && segmentsMatch(second, path)
}

const calls = (asked: Asked, name: RpcMethodName): boolean => asked.api === "rpc" && asked.calls.some(({ method }) => method === name)

/** Whether a rule meets a request. */
export const meets = (rule: FaultRule, asked: Asked): boolean => {
  const { fault } = rule
  switch (fault._tag) {
    case "DroppedTransaction":
    case "TryAgainLater":
    case "SurgeBaseFee":
    case "LedgerCapacity":
      return false
    case "ManualRestoration":
      return calls(asked, "simulateTransaction")
    case "ArchivedLeftOut":
      return calls(asked, "getLedgerEntries")
    case "RpcError":
      if (asked.api !== "rpc") return false
      break
    case "LaggingLedgerApi":
      if (asked.api !== "rest") return false
      break
    default:
      break
  }
  const rpcTarget = "rpc" in rule ? rule.rpc : undefined
  const restTarget = "rest" in rule ? rule.rest : undefined
  if (rpcTarget === undefined && restTarget === undefined) return true
  return asked.api === "rpc"
    ? rpcTarget === "*" || asked.calls.some(({ method }) => method === rpcTarget)
    : restTarget !== undefined && pathMatches(restTarget, asked.method, asked.path)
}

import { Schema } from "effect"
import { type RpcMethodName, rpcMethodNames } from "../rpc/RpcMethodName.ts"
import type { ApiRequest } from "./ApiRequest.ts"
import { catalogue, scopeOf } from "./Catalogue.ts"

/** How often a rule bites: that many requests, submissions or ledgers; left out, until it is cleared. */
const times = { times: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true }) }

const pathPattern = /^(?:(?:GET|POST) )?\/[^ ]*$/

/** A contract RPC method. */
const rpc = Schema.optionalWith(Schema.Literal("*", ...rpcMethodNames), { exact: true })

/** A path of the ledger API, parameters written as in `/accounts/:id`, where needed after `GET ` or `POST `. */
const rest = Schema.optionalWith(
  Schema.Union(
    Schema.Literal("*"),
    Schema.String.pipe(Schema.pattern(pathPattern, { message: () => "a path such as /accounts/:id or POST /transactions" }))
  ),
  { exact: true }
)

/** A fault of requests. It matches those named by `rpc` or `rest`; without either, all of both APIs. */
const OfRequests = Schema.Struct({ fault: Schema.Union(...catalogue.requests), rpc, rest, ...times })
const OfRpcRequests = Schema.Struct({ fault: Schema.Union(...catalogue.rpc), rpc, ...times })
const OfRestRequests = Schema.Struct({ fault: Schema.Union(...catalogue.rest), rest, ...times })

/** A fault of the network itself: of submissions, or of the ledgers that close. */
const OfNetwork = Schema.Struct({ fault: Schema.Union(...catalogue.network), ...times })

/** A fault of one method of the contract RPC, which answers as older or weaker servers do. */
const OfMethod = Schema.Struct({
  fault: Schema.Union(...catalogue.simulateTransaction, ...catalogue.getLedgerEntries, ...catalogue.getEvents),
  ...times
})

/** A fault, what it matches and how often. */
export const FaultRule = Schema.Union(OfRequests, OfRpcRequests, OfRestRequests, OfNetwork, OfMethod)
export type FaultRule = typeof FaultRule.Type
export type Fault = FaultRule["fault"]

/** A fault that gives the answer itself. */
export type AnsweringFault = Extract<Fault, { readonly answer: unknown }>

const segmentsMatch = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(":") || part === "*" || part === given[at])
}

const pathMatches = (pattern: string, method: string, path: string): boolean => {
  if (pattern === "*") return true
  const [first = "", second] = pattern.split(" ")
  return second === undefined ? segmentsMatch(first, path) : first === method && segmentsMatch(second, path)
}

const calls = (request: ApiRequest, name: RpcMethodName): boolean =>
  request._tag === "RpcRequest" && request.calls.some(({ method }) => method === name)

/** Whether a rule names a request, or names none. */
const targets = (rule: FaultRule, request: ApiRequest): boolean => {
  const rpcTarget = "rpc" in rule ? rule.rpc : undefined
  const restTarget = "rest" in rule ? rule.rest : undefined
  if (rpcTarget === undefined && restTarget === undefined) return true
  return request._tag === "RpcRequest"
    ? rpcTarget === "*" || request.calls.some(({ method }) => method === rpcTarget)
    : restTarget !== undefined && pathMatches(restTarget, request.method, request.path)
}

/** Whether a rule matches a request. */
export const matches = (rule: FaultRule, request: ApiRequest): boolean => {
  const scope = scopeOf(rule.fault)
  switch (scope) {
    case "network":
      return false
    case "simulateTransaction":
    case "getLedgerEntries":
    case "getEvents":
      return calls(request, scope)
    case "rpc":
      return request._tag === "RpcRequest" && targets(rule, request)
    case "rest":
      return request._tag === "RestRequest" && targets(rule, request)
    case "requests":
      return targets(rule, request)
  }
}

import type { HttpServerRequest } from "@effect/platform"
import { Effect, type ParseResult, Schema } from "effect"
import { decodeProblems } from "../DecodeProblems.ts"
import { Network } from "../Network.ts"
import type { Chain } from "../network/Chain.ts"
import { RpcFault } from "./RpcFault.ts"
import type { RpcMethodName } from "./RpcMethodName.ts"

/** One method of the contract RPC. */
export interface RpcMethod {
  readonly name: RpcMethodName
  /** `params` as they came; absent and null stand for an empty object. */
  readonly handle: (params: unknown) => Effect.Effect<unknown, RpcFault, Network | HttpServerRequest.HttpServerRequest>
}

/** A method whose parameters are decoded before it runs. The answer is plain JSON. */
export const rpcMethod = <Params, Encoded>(
  name: RpcMethodName,
  params: Schema.Schema<Params, Encoded>,
  run: (params: Params) => Effect.Effect<unknown, RpcFault, Network | HttpServerRequest.HttpServerRequest>
): RpcMethod => {
  const decode = Schema.decodeUnknown(params)
  return {
    name,
    handle: (raw) =>
      Array.isArray(raw)
        ? Effect.fail(RpcFault.invalidParams("parameters must be an object"))
        : Effect.flatMap(Effect.mapError(decode(raw ?? {}), invalid), run)
  }
}

const invalid = (error: ParseResult.ParseError): RpcFault => RpcFault.invalidParams(`invalid parameters: ${decodeProblems(error)}`)

/** The format parameter of every method that returns XDR. Only the default format is served here. */
export const xdrFormat = { xdrFormat: Schema.optional(Schema.Literal("base64", "")) }

/** A method that reads the network as of one moment. */
export const readingMethod = <Params, Encoded>(
  name: RpcMethodName,
  params: Schema.Schema<Params, Encoded>,
  read: (
    chain: Chain,
    params: Params
  ) => Effect.Effect<unknown, RpcFault, Network | HttpServerRequest.HttpServerRequest>
): RpcMethod =>
  rpcMethod(name, params, (decoded) => Effect.flatMap(Network, ({ snapshot }) => Effect.flatMap(snapshot, (chain) => read(chain, decoded))))

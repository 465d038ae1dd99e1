import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { readingMethod } from "./RpcMethod.ts"

/** `getNetwork`. */
export const getNetwork = readingMethod("getNetwork", Schema.Struct({}), ({ state }) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Network
    const origin = yield* requestOrigin
    return { friendbotUrl: `${origin}/friendbot`, passphrase, protocolVersion: state.header.ledgerVersion }
  }))

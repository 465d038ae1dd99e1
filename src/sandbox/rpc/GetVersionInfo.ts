import { Effect, Schema } from "effect"
import { readingMethod } from "./RpcMethod.ts"

/** `getVersionInfo`. */
export const getVersionInfo = readingMethod("getVersionInfo", Schema.Struct({}), ({ state }) =>
  Effect.succeed({
    version: "28.0.0-sandbox",
    commitHash: "sandbox",
    buildTimestamp: "2026-11-01T00:00:00",
    captiveCoreVersion: "sandbox",
    protocolVersion: state.header.ledgerVersion
  }))

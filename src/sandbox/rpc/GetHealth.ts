import { Effect, Schema } from "effect"
import { ledgerRange } from "./LedgerRange.ts"
import { readingMethod } from "./RpcMethod.ts"

/** `getHealth`. A sandbox that closes ledgers on demand is healthy however long the last close is ago. */
export const getHealth = readingMethod(
  "getHealth",
  Schema.Struct({}),
  (chain) => Effect.succeed({ status: "healthy", ...ledgerRange(chain), ledgerRetentionWindow: chain.history.retention })
)

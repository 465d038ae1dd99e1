import { type Effect, Schema } from "effect"
import type { Fault } from "../Fault.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** The ledgers an endpoint remembers transactions and events of, both included. Operators differ; a week is usual. */
export interface Retention {
  readonly oldestLedger: number
  readonly latestLedger: number
}

const Result = Schema.Struct({ oldestLedger: LedgerNumber, latestLedger: LedgerNumber })

/** `getHealth`. One that knows itself to be behind answers with an error. */
export const getRetention = (call: Call): (url: URL) => Effect.Effect<Retention, Fault> => call("getHealth", {}, Result)

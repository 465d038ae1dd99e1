import { Context } from "effect"

/** How a contract RPC server differs from the newest ones: what it does with archived entries, and how far it scans for events. */
export class ServerLimits extends Context.Reference<ServerLimits>()("closeout/sandbox/rpc/ServerLimits", {
  defaultValue: (): {
    /** `simulateTransaction` restores nothing by itself, as before CAP-66. */
    readonly restoresManually: boolean
    /** `getLedgerEntries` leaves archived entries out. */
    readonly hidesArchived: boolean
    /** Ledgers that `getEvents` scans at most, each counted once a filter; null for no limit. */
    readonly maxEventLedgers: number | null
  } => ({ restoresManually: false, hidesArchived: false, maxEventLedgers: null })
}) {}

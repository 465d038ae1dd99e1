import type { xdr } from "@stellar/stellar-sdk"
import { Effect, FiberRef } from "effect"

const current = FiberRef.unsafeMake<ReadonlyArray<xdr.LedgerKey>>([])

/** The keys of entries that the request itself names. */
export const namedEntries: Effect.Effect<ReadonlyArray<xdr.LedgerKey>> = FiberRef.get(current)

/** Runs a request that names entries. Without a ledger API they are looked up with those that the account's own transactions name. */
export const withNamedEntries = <A, E, R>(keys: ReadonlyArray<xdr.LedgerKey>, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  keys.length === 0 ? request : Effect.locally(request, current, keys)

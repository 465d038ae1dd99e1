import { Effect, Fiber, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { accountKey } from "../chain/EntryKeys.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { AccountNotFound } from "../domain/failure/Request.ts"
import { confirm } from "./Confirmation.ts"
import type { Confirmation } from "./Confirmation.ts"
import { list } from "./Listing.ts"
import type { Listing } from "./Listing.ts"
import { straddles } from "./Straddle.ts"

/** The sources of a reading. */
export interface Sources {
  readonly api: LedgerApi["Type"]
  readonly entries: LedgerEntries["Type"]
  readonly rpc: ContractRpc["Type"]
}

/** One look at an account: what the ledger API lists, and what the contract RPC holds of it. */
export interface Reading {
  readonly listing: Listing
  readonly confirmation: Confirmation
  /** Whether the account changed meanwhile. */
  readonly straddled: boolean
}

/**
 * Looks once. The contract RPC is asked for the account while the ledger API lists: it alone decides whether there is one, and it
 * does so without waiting for the list.
 */
const look = ({ api, entries, rpc }: Sources, address: AccountAddress): Effect.Effect<Reading, AccountNotFound | ChainFailure> =>
  Effect.scoped(
    Effect.gen(function*() {
      const listing = yield* Effect.forkScoped(list(api, address))
      if (Option.isNone(yield* entries.one(accountKey(address)))) return yield* new AccountNotFound({ address })
      const listed = yield* Fiber.join(listing)
      const confirmed = yield* confirm(entries, rpc, listed)
      if (Option.isNone(confirmed)) return yield* new AccountNotFound({ address })
      return { listing: listed, confirmation: confirmed.value, straddled: straddles(listed, confirmed.value) }
    })
  )

/** A lagging ledger API gets this long to catch up before the second look. */
const pause = "1 second"

/** Looks, and once more when the first look straddles a change. */
export const readTwice = (sources: Sources, address: AccountAddress): Effect.Effect<Reading, AccountNotFound | ChainFailure> =>
  Effect.flatMap(look(sources, address), (first) =>
    first.straddled ? Effect.delay(look(sources, address), pause) : Effect.succeed(first)
  )

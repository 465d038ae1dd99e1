import type { xdr } from "@stellar/stellar-sdk"
import { Data, Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import { allReadable } from "../chain/contract-rpc/LiveEntry.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { AccountNotFound } from "../domain/failure/Request.ts"
import { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import { sponsorshipsOf } from "../stellar/Entries.ts"
import { accountKey } from "../xdr/LedgerKeys.ts"
import type { WantedClaims } from "./ClaimableListing.ts"
import { confirm, type Confirmation } from "./Confirmation.ts"
import { list, type Listing } from "./Listing.ts"
import type { Sources } from "./Sources.ts"
import { isSplitRead } from "./SplitRead.ts"
import { enumerationIncomplete, mostReserves, type Sponsorships, sponsorships } from "./Sponsorships.ts"
import { subEntryMismatch } from "./SubEntries.ts"

/** One look at an account: what the ledger API lists, and what the contract RPC holds of it. */
export interface Reading {
  readonly listing: Listing
  readonly confirmation: Confirmation
  readonly sponsorships: Sponsorships
  /** The ledger of the contract RPC when the look began: what came later need not be in it. */
  readonly beganAt: number
  /** Whether the account changed during the look. */
  readonly isSplitRead: boolean
}

/** Requests that one look shares with its caller. */
export interface SharedReads {
  /** The account as the ledger API lists it. */
  readonly account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
  /** The newest ledger. */
  readonly header: Effect.Effect<LatestLedger, ChainFailure>
  /** Ledger keys that are read together with the account entry, because the caller needs them later in the request. */
  readonly beside: ReadonlyArray<xdr.LedgerKey>
  /** Claimable balances that the caller's request claims. */
  readonly wanted: WantedClaims
  /** What travels with the entries that are listed, for the same reason. */
  readonly ahead: (listed: Listing) => Effect.Effect<ReadonlyArray<xdr.LedgerKey>>
}

/** Nothing travels with what is listed. */
export const noKeysAhead: SharedReads["ahead"] = () => Effect.succeed([])

/** The contract RPC answered from a ledger in which the account was not there yet, as another source knows. */
class RpcBehind extends Data.TaggedError("RpcBehind")<{}> {}

/** An account that the contract RPC does not have is there if the ledger API tells so within this time, of a later ledger. */
const patience = "1 second"

/**
 * Looks once. The contract RPC is queried for the account entry while the ledger API lists what it holds. What the account sponsors is
 * listed as soon as its entry shows that it sponsors anything. So a look takes at most three requests in sequence, besides the pages of
 * lists.
 */
const look = (
  { api, entries, rpc }: Sources,
  address: AccountAddress,
  shared: SharedReads
): Effect.Effect<Reading, AccountNotFound | RpcBehind | ChainFailure> =>
  Effect.gen(function*() {
    const account = yield* Effect.cached(shared.account)
    const listing = yield* Effect.cached(list(api, address, account, shared.wanted))

    /** What is listed, as the contract RPC has it. */
    const confirmation = (beganAt: number) =>
      Effect.gen(function*() {
        const listed = yield* listing
        const confirmed = yield* confirm(entries, { shared: shared.header, anew: rpc.latestLedger }, listed, shared.ahead)
        if (confirmed._tag === "Gone") {
          return yield* confirmed.asOf < beganAt ? new RpcBehind() : new AccountNotFound({ address })
        }
        return { listed, confirmed }
      })

    const reading = Effect.gen(function*() {
      const [began] = yield* entries.anew([accountKey(address), ...shared.beside])
      if (began === undefined) return yield* Effect.dieMessage("an answer without a question")
      const [own] = yield* allReadable(Option.toArray(began.live))
      const entry = own?.data
      if (entry?.type !== "account") {
        const listed = yield* account.pipe(
          Effect.option,
          Effect.map(Option.flatten),
          Effect.timeoutTo({
            duration: patience,
            onSuccess: (found) => found,
            onTimeout: () => Option.none()
          })
        )
        const later = Option.exists(listed, ({ lastModifiedLedger }) => lastModifiedLedger > began.latestLedger)
        return yield* later ? new RpcBehind() : new AccountNotFound({ address })
      }
      const [{ confirmed, listed }, sponsored] = yield* Effect.all([
        confirmation(began.latestLedger),
        Effect.exit(sponsorships({ api, entries, rpc }, address, entry.account))
      ], { concurrency: "unbounded" })
      const found = yield* sponsored
      return {
        listing: listed,
        confirmation: confirmed,
        sponsorships: found,
        beganAt: began.latestLedger,
        isSplitRead: isSplitRead(listed, confirmed, found)
      }
    })

    // Both lists begin at once, but what becomes of them counts only where the contract RPC has the account.
    const [, , found] = yield* Effect.all([Effect.exit(account), Effect.exit(listing), reading], { concurrency: "unbounded" })
    return found
  })

/** Whether another look may show more: sources that catch up, or that fit together then. */
const unsettled = ({ confirmation: { account, entries, unconfirmed }, listing, sponsorships, ...reading }: Reading): boolean => {
  if (reading.isSplitRead || unconfirmed.size > 0) return true
  // What no name leads to is not found by asking again.
  if (listing.unlisted) return false
  return subEntryMismatch(account, entries) ||
    (enumerationIncomplete(sponsorships, account) && sponsorshipsOf(account).numSponsoring <= mostReserves)
}

/** A source that lags gets this long to catch up before the second look. */
const pause = "1 second"

/** A first look that took longer than this leaves no time for a second one within a request. */
const longestFirstLook = 8_000

/** The pause, in which endpoints are compared where there are several: the second look goes to those that are ahead. */
const catchUp = ({ api, rpc }: Sources) => {
  const compare = (source: Sources["api"] | Sources["rpc"]) =>
    Effect.flatMap(source.endpoints, (all) => (all.length > 1 ? Effect.asVoid(source.survey) : Effect.void))
  return Effect.all([Effect.sleep(pause), Effect.timeoutOption(Effect.all([compare(api), compare(rpc)], { concurrency: 2 }), pause)], {
    concurrency: 2,
    discard: true
  })
}

/**
 * Looks, and once more when the first look does not fit together or shows less than the account counts. What the second look shows
 * is the reading, regardless of what it lacks. Only the first look shares what it asks for.
 */
export const readTwice = (
  sources: Sources,
  network: Network,
  address: AccountAddress,
  shared: SharedReads
): Effect.Effect<Reading, AccountNotFound | ChainFailure> =>
  Effect.gen(function*() {
    const start = yield* steadyMillis
    const { api, rpc } = sources
    // A repeated read rests on no earlier answer.
    const { wanted } = shared
    const afresh: SharedReads = { account: api.account(address), header: rpc.latestLedger, beside: [], ahead: noKeysAhead, wanted }
    const again = Effect.zipRight(catchUp(sources), look(sources, address, afresh))
    const first = yield* Effect.catchTag(look(sources, address, shared), "RpcBehind", () => again)
    const elapsed = (yield* steadyMillis) - start
    return unsettled(first) && elapsed <= longestFirstLook ? yield* again : first
  }).pipe(Effect.catchTag("RpcBehind", () => new NetworkUnavailable({ network, source: "contract_rpc" })))

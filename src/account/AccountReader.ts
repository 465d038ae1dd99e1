import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { sponsorOf } from "../chain/LedgerNames.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import type { AccountState } from "../domain/Account.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { stroops } from "../domain/Amount.ts"
import type { AccountNotFound } from "../domain/failure/Request.ts"
import { Coverage } from "../protocols/Coverage.ts"
import { ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import type { AccountSnapshot } from "./AccountSnapshot.ts"
import { headerOf, ledgersOf, showTime } from "./AccountSnapshot.ts"
import { claimableBalances } from "./ClaimableBalances.ts"
import { coverageWarnings } from "./CoverageWarnings.ts"
import { dataEntries } from "./DataEntries.ts"
import { openOffers } from "./Offers.ts"
import { poolShares } from "./PoolShares.ts"
import { positions, positionWarnings, readPositions } from "./Positions.ts"
import { readTwice } from "./Reading.ts"
import { readingWarnings } from "./ReadingWarnings.ts"
import { signers, thresholds } from "./Signers.ts"
import { enumerationIncomplete, numSponsoring } from "./Sponsorships.ts"
import { subEntryMismatch } from "./SubEntries.ts"
import { trustlines } from "./Trustlines.ts"
import { unconfirmed, unconfirmedWarnings } from "./Unconfirmed.ts"

export type { AccountSnapshot } from "./AccountSnapshot.ts"

/** `AccountFlags`. */
const authImmutable = 4

/**
 * Reads everything an account holds. The ledger API lists, the contract RPC confirms: an entry that the contract RPC does not
 * have is gone, an entry it cannot be asked about is a failure.
 */
export class AccountReader extends Context.Tag("closeout/account/AccountReader")<AccountReader, {
  /**
   * @param tokens token contracts to check for a balance beyond those that discovery finds
   * @returns the account; `AccountNotFound` when the contract RPC has no account entry
   */
  readonly read: (
    address: AccountAddress,
    tokens: ReadonlyArray<ContractAddress>
  ) => Effect.Effect<AccountSnapshot, AccountNotFound | ChainFailure>
}>() {
  /** Over the sources of one network. Contract tokens are not read yet, so `contractTokens` is left out. */
  static readonly layer = Layer.effect(
    AccountReader,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const sources = { api: yield* LedgerApi, entries: yield* LedgerEntries, rpc }
      const { network } = yield* NetworkSettings
      const registry = yield* ProtocolRegistry
      const coverage = yield* Coverage
      const untracked = coverage.protocols

      const read = Effect.fn("AccountReader.read")(function*(address: AccountAddress) {
        // Not in one batch: keys that travel together fail together, and an unread protocol must not hide the account.
        const [reading, held] = yield* Effect.all([readTwice(sources, network, address), readPositions(registry, rpc, address)], {
          batching: false,
          concurrency: 2
        })
        const { account, entries, header } = reading.confirmation
        const unseen = unconfirmed(reading)
        const warnings = [...readingWarnings(reading), ...unconfirmedWarnings(unseen), ...coverageWarnings(coverage)]
        const endpoints = yield* rpc.endpoints
        const readAt = showTime(header.closeTime)
        const [accountEntry] = entries
        const state: AccountState = {
          address,
          network,
          sequence: account.seqNum.toString(),
          nativeBalanceLumens: stroops(account.balance),
          dataEntries: [...dataEntries(entries), ...unseen.dataEntries],
          signers: signers(account),
          thresholds: thresholds(account),
          numSubEntries: account.numSubEntries,
          numSponsoring: numSponsoring(account),
          sponsoredEntries: reading.sponsorships.sponsoredEntries,
          sponsorshipEnumerationIncomplete: enumerationIncomplete(reading.sponsorships, account),
          sponsoredBy: accountEntry === undefined ? null : sponsorOf(accountEntry),
          authImmutable: (account.flags & authImmutable) !== 0,
          trustlines: [...trustlines(entries), ...unseen.trustlines],
          openOffers: [...openOffers(entries), ...unseen.openOffers],
          poolShares: [...poolShares(entries), ...unseen.poolShares],
          claimableBalances: [...claimableBalances(entries, header.closeTime), ...unseen.claimableBalances],
          subEntryMismatch: subEntryMismatch(account, entries),
          defiPositions: positions({ address, network, untracked, reading: held, endpoints, readAt }),
          defiPositionsWarnings: positionWarnings(untracked, held),
          warnings
        }
        const snapshot: AccountSnapshot = {
          state,
          header: headerOf(header),
          accountEntry: account,
          entries,
          protocols: held.readings,
          listed: reading.listing.account,
          claimableListed: { count: reading.listing.claimableBalances.length, complete: reading.listing.claimableComplete },
          ledgerApiLedger: reading.listing.latestLedger,
          ledgers: ledgersOf(reading),
          unconfirmed: reading.confirmation.unconfirmed.size,
          readAt,
          warnings
        }
        return snapshot
      })
      return AccountReader.of({ read })
    })
  )
}

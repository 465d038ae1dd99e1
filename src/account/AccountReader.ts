import { Context, Effect, Either, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { ownHistory } from "../chain/OwnHistory.ts"
import { breathe } from "../chain/Turns.ts"
import type { AccountState } from "../domain/Account.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { stroops } from "../domain/Amount.ts"
import type { AccountNotFound } from "../domain/failure/Request.ts"
import { showTime } from "../domain/Instant.ts"
import { Coverage } from "../protocols/Coverage.ts"
import { ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import { sponsorOf, sponsorshipsOf } from "../stellar/Entries.ts"
import { accountFlags } from "../stellar/Flags.ts"
import { type AccountSnapshot, headerOf, ledgersOf } from "./AccountSnapshot.ts"
import { claimableBalances } from "./ClaimableBalances.ts"
import { coverageWarnings } from "./CoverageWarnings.ts"
import { dataEntries } from "./DataEntries.ts"
import { settled } from "./Doubts.ts"
import { openOffers } from "./Offers.ts"
import { type OwnPast, pastWarnings, readOwnPast, type ReadPurpose } from "./OwnPast.ts"
import { poolShares } from "./PoolShares.ts"
import { positions, type PositionsReading, positionWarnings, readPositions } from "./Positions.ts"
import { type Reading, readTwice } from "./Reading.ts"
import { readingWarnings } from "./ReadingWarnings.ts"
import { signers, thresholds } from "./Signers.ts"
import { enumerationIncomplete } from "./Sponsorships.ts"
import { subEntryMismatch } from "./SubEntries.ts"
import { trustlines } from "./Trustlines.ts"
import { unconfirmed, unconfirmedWarnings } from "./Unconfirmed.ts"

export type { AccountSnapshot } from "./AccountSnapshot.ts"

/** `AccountFlags`. */

/**
 * Reads everything an account holds. The ledger API lists, the contract RPC confirms: an entry that the contract RPC does not
 * have is gone, an entry it cannot be asked about is a failure.
 */
export class AccountReader extends Context.Tag("closeout/account/AccountReader")<AccountReader, {
  /**
   * @param tokens token contracts to check for a balance beyond those that discovery finds
   * @param purpose how far its own history is read; left out: it is shown
   * @returns the account; `AccountNotFound` when the contract RPC has no account entry
   */
  readonly read: (
    address: AccountAddress,
    tokens: ReadonlyArray<ContractAddress>,
    purpose?: ReadPurpose
  ) => Effect.Effect<AccountSnapshot, AccountNotFound | ChainFailure>
}>() {
  /** Over the sources of one network. Contract tokens are not read yet, so `contractTokens` is left out. */
  static readonly layer = Layer.effect(
    AccountReader,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const sources = { api: yield* LedgerApi, entries: yield* LedgerEntries, rpc }
      const { network, passphrase } = yield* NetworkSettings
      const registry = yield* ProtocolRegistry
      const coverage = yield* Coverage
      const untracked = coverage.protocols
      const history = yield* ownHistory(sources.api, registry.candidatesIn)

      /** What the lists of contracts lack, made good by what only the account's own history names. */
      const widened = (
        address: AccountAddress,
        { confirmation }: Reading,
        past: OwnPast,
        { at, readings, ...held }: PositionsReading
      ): Effect.Effect<PositionsReading, ChainFailure> =>
        Effect.gen(function*() {
          if (at === undefined) return { ...held, readings }
          const candidates = past === null || Either.isLeft(past) ? [] : past.right.contracts
          const read = yield* registry.readCandidates(at, address, candidates, readings)
          const lines = trustlines(confirmation.entries).map(({ asset }) => asset)
          return {
            ...held,
            at,
            readings: yield* settled(sources, { address, passphrase, account: confirmation.account, lines }, past, read)
          }
        })

      const read = Effect.fn("AccountReader.read")(
        function*(address: AccountAddress, _tokens: ReadonlyArray<ContractAddress>, purpose: ReadPurpose = "show") {
          // Not in one batch: keys that travel together fail together, and an unread protocol must not hide the account.
          const [reading, listed, past] = yield* Effect.all([
            readTwice(sources, network, address),
            readPositions(registry, rpc, address, purpose),
            readOwnPast(history, registry, address, purpose)
          ], { batching: false, concurrency: 3 })
          const held = yield* widened(address, reading, past, listed).pipe(
            // Who only looks is told of the doubt instead.
            Effect.catchAll((failure) => (purpose === "close" ? Effect.fail(failure) : Effect.succeed(listed)))
          )
          yield* breathe
          const { account, entries, header } = reading.confirmation
          const unseen = unconfirmed(reading)
          const warnings = [
            ...readingWarnings(reading),
            ...unconfirmedWarnings(unseen),
            ...coverageWarnings(coverage),
            ...pastWarnings(past, registry)
          ]
          const endpoints = yield* rpc.endpoints
          const readAt = showTime(header.closeTime)
          const [accountEntry] = entries
          const lines = trustlines(entries)
          yield* breathe
          const state: AccountState = {
            address,
            network,
            sequence: account.seqNum.toString(),
            nativeBalanceLumens: stroops(account.balance),
            dataEntries: [...dataEntries(entries), ...unseen.dataEntries],
            signers: signers(account),
            thresholds: thresholds(account),
            numSubEntries: account.numSubEntries,
            numSponsoring: sponsorshipsOf(account).numSponsoring,
            sponsoredEntries: reading.sponsorships.sponsoredEntries,
            sponsorshipEnumerationIncomplete: enumerationIncomplete(reading.sponsorships, account),
            sponsoredBy: accountEntry === undefined ? null : sponsorOf(accountEntry),
            authImmutable: (account.flags & accountFlags.authImmutable) !== 0,
            trustlines: [...lines, ...unseen.trustlines],
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
            allowances: past === null || Either.isLeft(past) ? [] : past.right.allowances,
            listed: reading.listing.account,
            claimableListed: { count: reading.listing.claimableBalances.length, complete: reading.listing.claimableComplete },
            ledgerApiLedger: reading.listing.latestLedger,
            ledgers: ledgersOf(reading),
            unconfirmed: reading.confirmation.unconfirmed.size,
            readAt,
            warnings
          }
          return snapshot
        }
      )
      return AccountReader.of({ read })
    })
  )
}

import { Context, Effect, Either, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { allNamed } from "../chain/history/NamedContracts.ts"
import { type OwnHistory, ownHistory } from "../chain/history/OwnHistory.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { type NetworkAddress, NetworkSettings } from "../chain/NetworkSettings.ts"
import { yieldTurn } from "../chain/pace/Turns.ts"
import type { AccountState } from "../domain/Account.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { stroops } from "../domain/Amount.ts"
import type { AccountNotFound } from "../domain/failure/Request.ts"
import { showTime } from "../domain/Instant.ts"
import { Coverage } from "../protocols/Coverage.ts"
import { type KeysAhead, type ProtocolReading, ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import { sequenceLedgerOf, sponsorOf, sponsorshipsOf } from "../stellar/Entries.ts"
import { accountFlags } from "../stellar/Flags.ts"
import { TokenReader, type TokensRead } from "../tokens/TokenReader.ts"
import { type AccountSnapshot, headerOf, ledgersOf } from "./AccountSnapshot.ts"
import { claimableBalances, claimableSummary } from "./ClaimableBalances.ts"
import { nothingWanted } from "./ClaimableListing.ts"
import {
  type HistoryReading,
  historyWarnings,
  isHistoryBehind,
  mayLackCalls,
  namedInHistory,
  newestCall,
  readHistory,
  type ReadPurpose
} from "./HistoryReading.ts"
import { needsElderLedger, withSettledDoubts } from "./ListDoubts.ts"
import { positions, type PositionsInput, type PositionsReading, purposeOf, readPositions } from "./Positions.ts"
import { positionWarnings } from "./PositionWarnings.ts"
import { noKeysAhead, type Reading, readTwice, type SharedReads } from "./Reading.ts"
import { readingWarnings } from "./ReadingWarnings.ts"
import type { Sources } from "./Sources.ts"
import { enumerationIncomplete } from "./Sponsorships.ts"
import { dataEntries, openOffers, poolShares, signers, subEntryMismatch, thresholds, trustlines } from "./SubEntries.ts"
import { unconfirmedClaims, unconfirmedEntries, unconfirmedWarnings } from "./UnconfirmedEntries.ts"

/** Requests and data that a caller shares with an account read, so that each request is sent once. */
export interface CallerReads extends Pick<SharedReads, "account" | "ahead" | "beside" | "header" | "wanted"> {
  /** Further keys that exits need; fetched together with the positions. */
  readonly leaving: KeysAhead
  /**
   * Called once the account's own history was read, with the ledger of its newest own call. Positions in protocols are read after it
   * returns.
   */
  readonly onHistory?: (ledger: number) => Effect.Effect<void>
  /** Tokens that an earlier plan saw, by the caller's word. They are queried whether or not a source still names them. */
  readonly had: ReadonlyArray<ContractAddress>
  /** The ledger of that plan, from which on own calls count; null where no answer rests on one. */
  readonly hadAt: number | null
  /** Whether to query tokens for their names where no other source gives them. A build shows no names. */
  readonly names: boolean
}

/** A read without requests or data of a caller. */
const noCallerReads: Pick<CallerReads, "ahead" | "beside" | "had" | "names" | "wanted"> = {
  ahead: noKeysAhead,
  beside: [],
  had: [],
  names: true,
  wanted: nothingWanted
}

/** Fetches the further keys that exits need, of all protocols in one request a round. */
const askedAhead = (readings: ReadonlyArray<ProtocolReading>): Effect.Effect<void> => {
  const ahead = readings.flatMap((one) => (one._tag === "Read" ? one.ahead ?? [] : []))
  return ahead.length === 0 ? Effect.void : Effect.all(ahead, { batching: true, concurrency: "unbounded", discard: true })
}

/** What accounts of one network are read with. */
interface Stack extends Pick<NetworkAddress, "network" | "passphrase"> {
  readonly sources: Sources
  readonly registry: ProtocolRegistry["Type"]
  /** Protocols that nothing here can read. */
  readonly untracked: Coverage["Type"]["protocols"]
  readonly tokenReader: TokenReader["Type"]
  readonly history: OwnHistory
}

/** What one look is at: whose account, how far, and what its caller shares. */
interface Look {
  readonly address: AccountAddress
  readonly purpose: ReadPurpose
  readonly caller: CallerReads | undefined
}

/** What an account holds in protocols, and its own history. */
interface Holding {
  readonly listed: PositionsReading
  readonly past: HistoryReading
}

/** From which ledger on own history is read: for contracts that the lists lack, and for what an earlier plan saw. */
const sinceFor = ({ registry }: Stack, caller: CallerReads | undefined): number | null => {
  const [lists, plan] = [registry.historySince, caller?.hadAt ?? null]
  return lists === null || plan === null ? lists ?? plan : Math.min(lists, plan)
}

const namedIn = (past: HistoryReading): ReadonlyArray<ContractAddress> =>
  past === null || Either.isLeft(past) ? [] : allNamed(past.right.contracts)

/** Reads what it holds in protocols, and its own history, which may name contracts that the lists of contracts lack. */
const readHeld = (stack: Stack, { address, caller, purpose }: Look, newest: SharedReads["header"]): Effect.Effect<Holding, ChainFailure> =>
  Effect.gen(function*() {
    const { history, registry } = stack
    const wanted = purposeOf(purpose, caller?.leaving)
    // Who only looks has no memory that would spare the second question.
    const asking = (past: HistoryReading) =>
      wanted === undefined || namedIn(past).length === 0
        ? Effect.void
        : Effect.ignore(Effect.flatMap(newest, (at) => registry.askCandidates(at, namedIn(past), wanted)))
    const onHistory = caller?.onHistory
    const own = readHistory(history, sinceFor(stack, caller), address, purpose)
    const told = onHistory === undefined ? own : yield* Effect.cached(Effect.tap(own, (one) => onHistory(newestCall(one))))
    const positions = readPositions(registry, newest, address, wanted)
    const [listed, past] = yield* Effect.all([
      onHistory === undefined ? positions : Effect.zipRight(told, positions),
      Effect.tap(told, asking)
    ], { concurrency: "unbounded" })
    if (listed.at === undefined) return { listed, past }
    return { listed: { ...listed, readings: yield* registry.readCandidates(listed.at, address, namedIn(past), listed.readings) }, past }
  })

/** The same look, for a second read: nothing waits for that. */
const withoutListener = ({ caller, ...look }: Look): Look => {
  if (caller === undefined) return { ...look, caller }
  const { onHistory: _, ...others } = caller
  return { ...look, caller: others }
}

/**
 * Whether an answer rests on the own history, and the history is behind the account. A ledger API that has forgotten the account's last
 * transaction is not: no waiting brings it back. `elder`: the oldest ledger that it keeps.
 */
const isBehind = (
  { caller }: Look,
  elder: Sources["api"]["elderLedger"],
  { confirmation: { account } }: Reading,
  { past }: Holding
): Effect.Effect<boolean, ChainFailure> =>
  isHistoryBehind(past, account, caller?.hadAt ?? null)
    ? Effect.map(elder, (oldest) => sequenceLedgerOf(account) >= oldest)
    : Effect.succeed(false)

/** The same positions without doubts that what else was read of the account lifts. */
const undoubted = (
  { passphrase, sources: { entries } }: Stack,
  { address, elder }: { readonly address: AccountAddress; readonly elder: Sources["api"]["elderLedger"] },
  { confirmation }: Reading,
  { listed, past }: Holding
): Effect.Effect<PositionsReading, ChainFailure> => {
  if (listed.at === undefined) return Effect.succeed(listed)
  const lines = trustlines(confirmation.entries).map(({ asset }) => asset)
  const doubted = { address, passphrase, account: confirmation.account, lines }
  return Effect.map(withSettledDoubts({ entries, elder }, doubted, past, listed.readings), (readings) => ({ ...listed, readings }))
}

/** What the parts of a look found. */
interface Findings {
  readonly reading: Reading
  readonly held: PositionsReading
  readonly past: HistoryReading
  readonly tokens: TokensRead
  readonly endpoints: PositionsInput["endpoints"]
  readonly lines: ReturnType<typeof trustlines>
}

/** The account as it is shown. */
const stateOf = ({ network, passphrase, registry, untracked }: Stack, address: AccountAddress, found: Findings): AccountState => {
  const { endpoints, held, lines, past, reading, tokens } = found
  const { account, entries, header } = reading.confirmation
  const [accountEntry] = entries
  const unseen = unconfirmedEntries(reading)
  const readAt = showTime(header.closeTime)
  return {
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
    claimableBalances: [...claimableBalances(entries, address, header.closeTime), ...unseen.claimableBalances],
    subEntryMismatch: subEntryMismatch(account, entries),
    defiPositions: positions({ address, network, passphrase, untracked, reading: held, endpoints, readAt }),
    defiPositionsWarnings: positionWarnings(untracked, held),
    contractTokens: tokens.result,
    warnings: [...readingWarnings(reading), ...unconfirmedWarnings(reading), ...historyWarnings(past, registry)]
  }
}

const snapshotOf = (state: AccountState, { held, past, reading, tokens }: Findings): AccountSnapshot => {
  const { confirmation: { account, entries, header, unconfirmed, unreadable }, listing } = reading
  return {
    state,
    header: headerOf(header),
    accountEntry: account,
    entries,
    protocols: held.readings,
    tokens,
    ...namedInHistory(past),
    listed: listing.account,
    claimableListed: claimableSummary(listing),
    ...(listing.unlisted ? { unlisted: true as const } : {}),
    ledgerApiLedger: listing.latestLedger,
    ledgers: ledgersOf(reading),
    unconfirmed: unconfirmed.size,
    unconfirmedClaims: unconfirmedClaims(reading),
    unreadable: unreadable.size,
    readAt: showTime(header.closeTime),
    warnings: state.warnings
  }
}

const readAccount = (stack: Stack) =>
  Effect.fnUntraced(
    function*(address: AccountAddress, manual: ReadonlyArray<ContractAddress>, purpose: ReadPurpose = "show", caller?: CallerReads) {
      const { network, sources: { api, rpc }, tokenReader } = stack
      const { ahead, beside, had, names, wanted } = caller ?? noCallerReads
      const look: Look = { address, caller, purpose }
      const newest = caller?.header ?? (yield* Effect.cached(rpc.recentLedger))
      const elder = yield* Effect.cached(api.elderLedger)
      const heldOnce = yield* Effect.cached(readHeld(stack, look, newest))
      // Where it is not known, the whole read fails.
      const readings = Effect.orElseSucceed(Effect.map(heldOnce, ({ listed }) => listed.readings), () => [])
      const called = Effect.orElseSucceed(Effect.map(heldOnce, ({ past }) => namedInHistory(past).called), () => [])
      // Not in one batch: keys that travel together fail together, and an unread protocol or token must not hide the account.
      const [reading, found, tokens] = yield* Effect.all([
        readTwice(stack.sources, network, address, {
          account: caller?.account ?? api.account(address),
          // A failed read of positions at a ledger does not stop other reads at it.
          header: Effect.catchAll(newest, () => rpc.latestLedger),
          beside,
          ahead,
          wanted
        }),
        heldOnce,
        tokenReader.read({ user: address, manual, readings, had, called, names }),
        Effect.flatMap(readings, askedAhead),
        // What fails here fails where it counts.
        Effect.ignore(Effect.flatMap(heldOnce, ({ listed, past }) => needsElderLedger(past, listed.readings) ? elder : Effect.void))
      ], { concurrency: "unbounded" })
      // The pauses of the look gave the ledger API time to catch up.
      const current = (yield* isBehind(look, elder, reading, found)) ? yield* readHeld(stack, withoutListener(look), newest) : found
      const held = yield* undoubted(stack, { address, elder }, reading, current).pipe(
        // A read without a close reports the doubt instead.
        Effect.catchAll((failure) => (purpose === "close" ? Effect.fail(failure) : Effect.succeed(current.listed)))
      )
      yield* yieldTurn
      const endpoints = yield* rpc.endpoints
      const lines = trustlines(reading.confirmation.entries)
      yield* yieldTurn
      const findings = { reading, held, past: current.past, tokens, endpoints, lines }
      return {
        ...snapshotOf(stateOf(stack, address, findings), findings),
        ...((yield* isBehind(look, elder, reading, current)) ? { historyBehind: true as const } : {}),
        ...((yield* mayLackCalls(current.past, reading.confirmation.account, look.caller?.hadAt ?? null, elder))
          ? { callsUnread: true as const }
          : {})
      }
    }
  )

/**
 * Reads everything an account holds. The ledger API lists, the contract RPC confirms: an entry that the contract RPC does not
 * have is gone, an entry that it cannot be queried for is a failure.
 */
export class AccountReader extends Context.Tag("closeout/account/AccountReader")<AccountReader, {
  /**
   * @param tokens token contracts to check for a balance beyond those that discovery finds
   * @param purpose how far its own history is read; left out: it is shown
   * @param caller requests that the first look shares with its caller; left out: none
   * @returns the account; `AccountNotFound` when the contract RPC has no account entry
   */
  readonly read: (
    address: AccountAddress,
    tokens: ReadonlyArray<ContractAddress>,
    purpose?: ReadPurpose,
    caller?: CallerReads
  ) => Effect.Effect<AccountSnapshot, AccountNotFound | ChainFailure>
}>() {
  /** Over the sources of one network. */
  static readonly layer = Layer.effect(
    AccountReader,
    Effect.gen(function*() {
      const sources: Sources = { api: yield* LedgerApi, entries: yield* LedgerEntries, rpc: yield* ContractRpc }
      const { network, passphrase } = yield* NetworkSettings
      const registry = yield* ProtocolRegistry
      const { protocols: untracked } = yield* Coverage
      const tokenReader = yield* TokenReader
      const history = yield* ownHistory(sources.api, registry.candidatesIn)
      return AccountReader.of({ read: readAccount({ sources, network, passphrase, registry, untracked, tokenReader, history }) })
    })
  )
}

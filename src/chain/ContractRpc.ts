import { HttpClient } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Context, type Duration, Effect, Layer, Predicate, Ref } from "effect"
import { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import { withTimeLimit } from "./Attempt.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import { type CloseInterval, CloseMeter } from "./CloseInterval.ts"
import { type EventsAnswer, type EventsQuestion, getEvents } from "./contract-rpc/EventsAnswer.ts"
import { type EventSearch, type SearchedPage, searchEvents } from "./contract-rpc/EventSearch.ts"
import { type FeeStats, getFeeStats } from "./contract-rpc/FeeStats.ts"
import { type Call, jsonRpc } from "./contract-rpc/JsonRpc.ts"
import { getLatestLedger, type LatestLedger, passphraseOf, readTip } from "./contract-rpc/LatestLedger.ts"
import { getLedgerEntries, type LiveEntries } from "./contract-rpc/LiveEntry.ts"
import { getRetention, type Retention } from "./contract-rpc/Retention.ts"
import { type SendAnswer, sendTransaction } from "./contract-rpc/SendAnswer.ts"
import { simulateTransaction, type SimulationAnswer } from "./contract-rpc/SimulationAnswer.ts"
import { getTransaction, type TransactionAnswer } from "./contract-rpc/TransactionAnswer.ts"
import { getTransactions, type TransactionPage, type TransactionPlace } from "./contract-rpc/TransactionPage.ts"
import * as Endpoints from "./Endpoints.ts"
import type { SurveyedEndpoint } from "./EndpointTip.ts"
import { quiet } from "./Exchange.ts"
import { jointQuestion } from "./JointCalls.ts"
import { ledgerAge } from "./LedgerAge.ts"
import { LedgerFacts } from "./LedgerFacts.ts"
import { NetworkSettings } from "./NetworkSettings.ts"
import { NewerXdrSeen } from "./NewerXdrSeen.ts"
import { currentPin, noteLedger } from "./Pin.ts"
import { eachOf, originsOf, type RpcEndpoint, type RpcOrigin } from "./RpcOrigin.ts"
import { maxEventContracts, maxKeysPerCall } from "./RpcPolicy.ts"

/** The ledger that an answer names as the newest one, however it calls it; 0 where it names none. */
const ledgerIn = (answer: unknown): number => {
  if (!Predicate.isRecord(answer)) return 0
  const named = answer["latestLedger"] ?? answer["sequence"]
  return Predicate.isNumber(named) ? named : 0
}

/** Calls whose answers end what is kept of older ledgers. */
const namingLedgers = (call: Call, facts: LedgerFacts): Call => (method, params, result) => {
  const ask = call(method, params, result)
  return (url) => Effect.tap(ask(url), (answer) => Effect.sync(() => facts.note(url, ledgerIn(answer))))
}

/** An answer whose ledger the request takes note of: what it was shown on an older one is outdated. */
const noted = <A, E, R>(answer: Effect.Effect<A, E, R>, ledgerOf: (answer: A) => number): Effect.Effect<A, E, R> =>
  Effect.tap(answer, (told) => Effect.map(currentPin, (pin) => noteLedger(pin, ledgerOf(told))))

/**
 * The contract RPC (Stellar RPC 25 or later, JSON-RPC 2.0) of one network: the ground truth about ledger entries. What it leaves out
 * because it is empty is empty; what it says beside is passed over. Earlier versions tell neither headers nor who sponsors an entry.
 */
export class ContractRpc extends Context.Tag("closeout/chain/ContractRpc")<ContractRpc, {
  /** The newest ledger the RPC knows, with its header (`getLatestLedger`). */
  readonly latestLedger: Effect.Effect<LatestLedger, ChainFailure>

  /** As `latestLedger`, or the cached header where the endpoint named it within the last second and has named no later ledger since. */
  readonly recentLedger: Effect.Effect<LatestLedger, ChainFailure>

  /** How fast ledgers close, by the answers so far; asks no one. */
  readonly closeInterval: Effect.Effect<CloseInterval>

  /** When a ledger closed (Unix seconds); null where no answer of late named it. Asks no one. */
  readonly closeTimeOf: (ledger: number) => Effect.Effect<bigint | null>

  /**
   * Entries by key (`getLedgerEntries`), in the order of the keys; a key without an entry is left out.
   * At most 200 distinct keys, else a defect: callers go through `LedgerEntries`, which batches and removes duplicates. Requests of one
   * batch share calls (`JointCalls.ts`).
   */
  readonly ledgerEntries: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<LiveEntries, ChainFailure>

  /** What recent transactions paid per operation (`getFeeStats`). */
  readonly feeStats: Effect.Effect<FeeStats, ChainFailure>

  /**
   * Hands a signed envelope (base64) to the network (`sendTransaction`). Sending is idempotent by hash, so a lost answer is
   * followed by sending the same envelope again; `resent` tells that it happened. It fails with `UpstreamRateLimited` only where every
   * attempt was turned away, so that no copy got through.
   */
  readonly sendTransaction: (envelope: string) => Effect.Effect<SendAnswer, ChainFailure>

  /**
   * What a contract transaction (unsigned envelope, base64, one operation) would need and do on the newest ledger of the endpoint that
   * answers (`simulateTransaction`). A call that would fail is an answer. `instructionLeeway`: instructions to declare beyond those
   * counted. `brief`: how long the answer is waited for once it was requested, and then `DeadlineExceeded`, which is no fault of the
   * endpoint.
   */
  readonly simulateTransaction: (
    envelope: string,
    instructionLeeway: number,
    brief?: Duration.Duration
  ) => Effect.Effect<SimulationAnswer, ChainFailure>

  /** What became of a transaction (`getTransaction`); `hash` is 64 hex characters. */
  readonly transaction: (hash: string) => Effect.Effect<TransactionAnswer, ChainFailure>

  /** All transactions of the network from a ledger on, one page of them (`getTransactions`). */
  readonly transactions: (place: TransactionPlace) => Effect.Effect<TransactionPage, ChainFailure>

  /** The ledgers whose events can be queried (`getHealth`). */
  readonly retention: Effect.Effect<Retention, ChainFailure>

  /**
   * Events of contracts in a range of ledgers (`getEvents`); an answer tells how much of the range it covers, at most 10,000 ledgers.
   * At most 25 contracts, else a defect.
   */
  readonly events: (question: EventsQuestion) => Effect.Effect<EventsAnswer, ChainFailure>

  /** Events of any contract by their topics, one page of them (`getEvents`). */
  readonly searchEvents: (search: EventSearch) => Effect.Effect<SearchedPage, ChainFailure>

  /** The endpoints in use, as they fared so far; asks no one. */
  readonly endpoints: Effect.Effect<ReadonlyArray<Endpoints.EndpointReport>>

  /** Which answers had XDR that this version does not know, in words; null: none since the start. Asks no one. */
  readonly newerXdr: Effect.Effect<string | null>

  /** Its operators, each for queries to that one alone, in the order of the settings. */
  readonly origins: ReadonlyArray<RpcOrigin>

  /** Its endpoints, each for queries to that one alone, in the order of the settings. */
  readonly each: ReadonlyArray<RpcEndpoint>

  /** Queries the tip of every endpoint (`getNetwork`, `getLatestLedger`); later questions go to those that are ahead. */
  readonly survey: Effect.Effect<ReadonlyArray<SurveyedEndpoint>>
}>() {
  /** Asks the endpoints of `NetworkSettings.rpcUrls`; none is believed before it has named the network's passphrase. */
  static readonly layer = Layer.effect(
    ContractRpc,
    Effect.gen(function*() {
      const { network, passphrase, rpcHeaders, rpcUrls } = yield* NetworkSettings
      const facts = new LedgerFacts()
      const newer = new NewerXdrSeen(network, "contract_rpc")
      const call = namingLedgers(jsonRpc(quiet(yield* HttpClient.HttpClient), rpcHeaders, newer), facts)
      const { rejectedAge } = yield* ledgerAge
      const endpoints = yield* Endpoints.make({
        source: "contract_rpc",
        network,
        rejectedAge,
        urls: rpcUrls,
        pins: true,
        identity: { passphrase, of: passphraseOf(call) }
      })
      const meter = new CloseMeter()
      const measured = <A>(answer: Effect.Effect<LatestLedger, A>) => Effect.tap(answer, (ledger) => Effect.sync(() => meter.note(ledger)))
      const header = facts.fact(getLatestLedger(call), ({ sequence }) => sequence)
      const feeStats = facts.fact(getFeeStats(call), ({ latestLedger }) => latestLedger)
      const ledgerFrom = (answer: Effect.Effect<LatestLedger, ChainFailure>) => noted(measured(answer), ({ sequence }) => sequence)
      return ContractRpc.of({
        latestLedger: ledgerFrom(endpoints.run(header.fetch)),
        recentLedger: ledgerFrom(endpoints.run(header.fetch, header)),
        closeInterval: Effect.sync(() => meter.interval),
        closeTimeOf: (ledger) => Effect.sync(() => meter.closeTimeOf(ledger)),
        ledgerEntries: Effect.fnUntraced(function*(keys) {
          if (keys.length > maxKeysPerCall) return yield* Effect.dieMessage(`more than ${maxKeysPerCall} keys in one call`)
          const { attempt, isGuest } = jointQuestion(getLedgerEntries(call), keys)
          return yield* endpoints.run(attempt, { isGuest })
        }),
        feeStats: endpoints.run(feeStats.fetch, feeStats),
        sendTransaction: Effect.fnUntraced(function*(envelope) {
          const lost = yield* Ref.make(false)
          return yield* Effect.catchTag(
            endpoints.run(sendTransaction(call)(envelope, lost)),
            "UpstreamRateLimited",
            (failure) =>
              Effect.flatMap(
                Ref.get(lost),
                (doubtful) => Effect.fail(doubtful ? new NetworkUnavailable({ network, source: "contract_rpc" }) : failure)
              )
          )
        }),
        simulateTransaction: Effect.fnUntraced(function*(envelope, instructionLeeway, brief) {
          const asked = endpoints.run(simulateTransaction(call)(envelope, instructionLeeway), withTimeLimit(brief))
          return yield* noted(asked, ({ latestLedger }) => latestLedger)
        }),
        transaction: Effect.fnUntraced(function*(hash) {
          const answer = yield* endpoints.run(getTransaction(call)(hash))
          meter.note({ sequence: answer.latestLedger, closeTime: answer.latestCloseTime })
          return answer
        }),
        transactions: Effect.fnUntraced(function*(place) {
          return yield* endpoints.run(getTransactions(call)(place), { searched: true })
        }),
        retention: endpoints.run(getRetention(call)),
        events: Effect.fnUntraced(function*(question) {
          if (question.contracts.length > maxEventContracts) {
            return yield* Effect.dieMessage(`more than ${maxEventContracts} contracts in one call`)
          }
          return yield* endpoints.run(getEvents(call)(question), { searched: true })
        }),
        searchEvents: Effect.fnUntraced(function*(search) {
          return yield* endpoints.run(searchEvents(call)(search), { searched: true })
        }),
        endpoints: endpoints.report,
        newerXdr: Effect.sync(() => newer.told),
        origins: originsOf(rpcUrls, endpoints.among, call),
        each: eachOf(rpcUrls, endpoints.among, call),
        survey: Effect.tap(endpoints.survey(readTip(call)), (found) =>
          Effect.sync(() => {
            for (const one of found) if (one._tag === "Here") meter.note({ ...one.tip, sequence: one.tip.ledger })
          }))
      })
    })
  )
}

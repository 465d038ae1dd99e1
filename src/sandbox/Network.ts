import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { Cause, Clock, Context, Data, Deferred, type Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import { ledgerSeconds, ledgersPerDay } from "../ledger/Header.ts"
import type { LedgerState } from "../ledger/LedgerState.ts"
import type { Contracts } from "../ledger/soroban/Contract.ts"
import { sandboxContracts } from "./contracts/All.ts"
import { type Faults, makeFaults } from "./faults/Faults.ts"
import { afterEmpty, type Chain, type ChainOptions, closeNext, enactNext, genesis, submitTo, type Verdict } from "./network/Chain.ts"
import type { LedgerRecord, TransactionRecord } from "./network/LedgerRecord.ts"
import { grown, type Live, withoutPending } from "./network/Live.ts"
import { type TransactionFacts, transactionFacts } from "./network/TransactionFacts.ts"
import { deedEnvelope } from "./network/UnsignedTransaction.ts"

/** The passphrase of sandbox networks: fixed, and no other network's. */
export const sandboxPassphrase = "Account Close-out Sandbox Network ; November 2026"

export interface NetworkOptions {
  readonly passphrase: string
  /** Stroops. */
  readonly baseReserve: number
  /** Stroops per operation. */
  readonly baseFee: number
  /** What the header says; it decides how headers are written, and no rule of the ledger model. */
  readonly protocolVersion: number
  /** Ledgers of history that are kept. */
  readonly retention: number
  /** Whether each accepted transaction closes a ledger at once. */
  readonly closeOnSubmit: boolean
  /** Closes a ledger this often as well, whether anything is pending or not; null: never. */
  readonly closeEvery: Duration.DurationInput | null
  /** Models of the contracts it can run besides those of classic assets. */
  readonly contracts: Contracts
  /**
   * Whether the contract of lumens is there from the start, and that of each issued asset as soon as somebody trusts or may claim it;
   * else transactions must deploy them, as on a real network.
   */
  readonly deploysAssetContracts: boolean
}

export const networkDefaults: NetworkOptions = {
  passphrase: sandboxPassphrase,
  baseReserve: 5_000_000,
  baseFee: 100,
  protocolVersion: 30,
  retention: ledgersPerDay,
  closeOnSubmit: true,
  closeEvery: null,
  contracts: sandboxContracts,
  deploysAssetContracts: true
}

/** How a ledger is closed: with the network's clock, unless it is said how much later. */
export interface Closing {
  /** Seconds after the last ledger, at least one. */
  readonly advanceSeconds?: number | undefined
  /** How many ledgers later; all but the last are empty and not kept. Five seconds each, unless it is said how much later. */
  readonly ledgers?: number | undefined
}

/** Seconds by which a ledger closes after the last; undefined where the clock says. */
const advanceOf = ({ advanceSeconds, ledgers = 1 }: Closing): number | undefined =>
  advanceSeconds ?? (ledgers > 1 ? ledgers * ledgerSeconds : undefined)

/** What the network answered to a transaction, and what it made of the envelope. */
export interface Submission {
  readonly facts: TransactionFacts
  readonly verdict: Verdict
}

/** A deed no ledger took: its transaction is invalid as things stand. */
export class DeedRefused extends Data.TaggedError("DeedRefused")<{ readonly result: xdr.TransactionResult }> {}

/**
 * A whole Stellar network in this process: a ledger, its clock, a transaction queue and the history.
 * Two networks share nothing.
 */
export class Network extends Context.Tag("closeout/sandbox/Network")<
  Network,
  {
    readonly passphrase: string
    /** Models of the contracts it runs besides those of classic assets. */
    readonly contracts: Contracts
    /** Holds all lumens at the start; derived from the passphrase as on every Stellar network. */
    readonly root: Keypair
    /** The network as of now. */
    readonly snapshot: Effect.Effect<Chain>
    /** Offers a transaction to the queue. Unless the network closes ledgers only on demand, it is applied on return. */
    readonly submit: (envelope: xdr.TransactionEnvelope) => Effect.Effect<Submission>
    /** Waits until the transaction is in a ledger; none when it is neither in one nor pending. */
    readonly outcome: (hash: string) => Effect.Effect<Option.Option<TransactionRecord>>
    /**
     * Closes a ledger over everything pending. Its close time is that of the network's clock, or the last ledger's plus
     * `advanceSeconds` (at least one), which puts the network's clock ahead for good.
     *
     * Ledgers closed within one second share a close time. A real network spaces them by at least one; here ledgers
     * close as fast as transactions come, and close times that ran ahead would turn whatever a service reckons from its
     * clock, such as time bounds and claim deadlines, into something no real network does.
     */
    readonly closeLedger: (options?: Closing) => Effect.Effect<LedgerRecord>
    /**
     * Applies operations as a transaction of an account in a ledger of its own, without asking for signatures: what
     * others on the network do. Whatever is pending stays so. The record of a failed transaction is an answer too. A
     * contract call needs resources, as simulated.
     */
    readonly enact: (
      source: string,
      operations: ReadonlyArray<xdr.Operation>,
      resources?: xdr.SorobanTransactionData
    ) => Effect.Effect<TransactionRecord, DeedRefused>
    /** The network as it was so many ledgers ago, as far back as is remembered. */
    readonly past: (ledgers: number) => Effect.Effect<Chain>
    /** What makes the network misbehave. */
    readonly faults: Faults
    /** Closes a ledger after which entries or header fields are changed by other means than transactions. */
    readonly amend: (change: (state: LedgerState) => LedgerState) => Effect.Effect<LedgerRecord>
  }
>() {
  static layer(options: Partial<NetworkOptions> = {}): Layer.Layer<Network> {
    return Layer.scoped(Network, makeNetwork({ ...networkDefaults, ...options }))
  }
}

const clockSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

const later = (left: bigint, right: bigint): bigint => (left > right ? left : right)

const makeNetwork = Effect.fnUntraced(function*(options: NetworkOptions) {
  const { contracts, deploysAssetContracts, passphrase, retention } = options
  const apply: ChainOptions = { networkPassphrase: passphrase, signatures: "verify", contracts, deploysAssetContracts }
  const faults = yield* makeFaults
  const first = genesis(
    {
      ledgerVersion: options.protocolVersion,
      closeTime: yield* clockSeconds,
      baseFee: options.baseFee,
      baseReserve: options.baseReserve
    },
    { passphrase, retention, deploysAssetContracts }
  )
  const live = yield* Ref.make<Live>({ chain: first, past: [], ahead: 0n, next: yield* Deferred.make<void>() })

  const close = Effect.fnUntraced(function*(
    closing: Closing & { readonly amend?: (state: LedgerState) => LedgerState }
  ) {
    const clock = yield* clockSeconds
    const { baseFee, capacity } = yield* faults.ofLedger
    const inForce = {
      ...apply,
      ...(baseFee === undefined ? {} : { surgeBaseFee: baseFee }),
      ...(capacity === undefined ? {} : { capacity })
    }
    const fresh = yield* Deferred.make<void>()
    const [ledger, reached] = yield* Ref.modify(live, (now): [readonly [LedgerRecord, Live["next"]], Live] => {
      const last = now.chain.state.header.closeTime
      const advance = advanceOf(closing)
      const closeTime = advance === undefined ? later(clock + now.ahead, last) : last + later(BigInt(Math.floor(advance)), 1n)
      const { chain, ledger } = closeNext(afterEmpty(now.chain, (closing.ledgers ?? 1) - 1), inForce, closeTime, closing.amend)
      const ahead = advance === undefined ? now.ahead : later(now.ahead, closeTime - clock)
      return [[ledger, now.next], grown(now, chain, fresh, ahead)]
    })
    yield* Deferred.succeed(reached, undefined)
    return ledger
  }, Effect.tapDefect(() => Ref.update(live, withoutPending)))

  const submit = Effect.fnUntraced(function*(envelope: xdr.TransactionEnvelope) {
    const clock = yield* clockSeconds
    const facts = yield* Effect.sync(() => transactionFacts(envelope, options.passphrase))
    const fault = Option.map(yield* faults.ofSubmission, ({ _tag }) => _tag)
    if (Option.contains(fault, "TryAgainLater")) {
      const verdict: Verdict = "try_again_later"
      return { facts, verdict }
    }
    const capacity = yield* faults.capacity
    const isLost = Option.contains(fault, "DroppedTransaction")
    const verdict = yield* Ref.modify(live, (now): [Verdict, Live] => {
      const { chain, verdict } = submitTo(now.chain, facts, capacity === undefined ? apply : { ...apply, capacity }, clock + now.ahead)
      return [verdict, isLost ? now : { ...now, chain }]
    })
    if (verdict === "pending" && !isLost && options.closeOnSubmit && capacity === undefined) yield* close({})
    return { facts, verdict }
  })

  const enact = Effect.fnUntraced(function*(
    source: string,
    operations: ReadonlyArray<xdr.Operation>,
    resources?: xdr.SorobanTransactionData
  ) {
    const clock = yield* clockSeconds
    const fresh = yield* Deferred.make<void>()
    const done = yield* Ref.modify(live, (now): [Effect.Effect<TransactionRecord, DeedRefused>, Live] => {
      const facts = transactionFacts(deedEnvelope(now.chain, { source, operations, resources }, options.passphrase), options.passphrase)
      const enacted = enactNext(now.chain, facts, apply, later(clock + now.ahead, now.chain.state.header.closeTime))
      if ("refused" in enacted) return [Effect.fail(new DeedRefused({ result: enacted.refused })), now]
      const record = Option.fromNullable(enacted.ledger.transactions[0])
      return [
        Effect.zipRight(Deferred.succeed(now.next, undefined), Effect.orDie(record)),
        grown(now, enacted.chain, fresh)
      ]
    })
    return yield* done
  })

  const outcome = (hash: string): Effect.Effect<Option.Option<TransactionRecord>> =>
    Effect.flatMap(Ref.get(live), ({ chain, next }) => {
      const found = chain.history.transaction(hash)
      const isPending = chain.queue.pending.some((facts) => facts.hash === hash || facts.innerHash === hash)
      return Option.isSome(found) || !isPending
        ? Effect.succeed(found)
        : Effect.zipRight(Deferred.await(next), Effect.suspend(() => outcome(hash)))
    })

  if (options.closeEvery !== null) {
    yield* close({}).pipe(
      Effect.catchAllDefect((defect) => Effect.logError("a ledger could not be closed", Cause.die(defect))),
      Effect.schedule(Schedule.spaced(options.closeEvery)),
      Effect.forkScoped
    )
  }

  return Network.of({
    passphrase,
    contracts,
    root: Keypair.master(options.passphrase),
    snapshot: Effect.map(Ref.get(live), ({ chain }) => chain),
    submit,
    outcome,
    closeLedger: (closing = {}) => close(closing),
    enact,
    past: (ledgers) =>
      Effect.map(
        Ref.get(live),
        ({ chain, past }) => ledgers <= 0 ? chain : (past[Math.min(Math.floor(ledgers), past.length) - 1] ?? chain)
      ),
    faults,
    amend: (amend) => close({ amend })
  })
})

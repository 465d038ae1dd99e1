import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { Clock, Context, Deferred, type Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import type { ApplyOptions } from "../ledger/Apply.ts"
import type { State } from "../ledger/State.ts"
import { type Chain, type Closed, closeNext, genesis, submitTo, type Verdict } from "./network/Chain.ts"
import type { LedgerRecord, TransactionRecord } from "./network/LedgerRecord.ts"
import { afterLedger } from "./network/Queue.ts"
import { transactionFacts, type TransactionFacts } from "./network/TransactionFacts.ts"

/** The passphrase of sandbox networks: fixed, and no other network's. */
export const SANDBOX_PASSPHRASE = "Account Close-out Sandbox Network ; November 2026"

export interface NetworkOptions {
  readonly passphrase: string
  /** Stroops. */
  readonly baseReserve: number
  /** Stroops per operation. */
  readonly baseFee: number
  readonly protocolVersion: number
  /** Ledgers of history that are kept. */
  readonly retention: number
  /** Whether each accepted transaction closes a ledger at once. */
  readonly closeOnSubmit: boolean
  /** Closes a ledger this often as well, whether anything is pending or not; null: never. */
  readonly closeEvery: Duration.DurationInput | null
}

export const networkDefaults: NetworkOptions = {
  passphrase: SANDBOX_PASSPHRASE,
  baseReserve: 5_000_000,
  baseFee: 100,
  protocolVersion: 28,
  retention: 17_280,
  closeOnSubmit: true,
  closeEvery: null
}

/** What the network answered to a transaction, and what it made of the envelope. */
export interface Submission {
  readonly facts: TransactionFacts
  readonly verdict: Verdict
}

/**
 * A whole Stellar network in this process: a ledger, its clock, a transaction queue and the history.
 * Two networks share nothing.
 */
export class Network extends Context.Tag("closeout/sandbox/Network")<
  Network,
  {
    readonly passphrase: string
    /** Holds all lumens at the start; derived from the passphrase as on every Stellar network. */
    readonly root: Keypair
    /** The network as of now. */
    readonly snapshot: Effect.Effect<Chain>
    /** Offers a transaction to the queue. Unless the network closes ledgers only on demand, it is applied on return. */
    readonly submit: (envelope: xdr.TransactionEnvelope) => Effect.Effect<Submission>
    /** Waits until the transaction is in a ledger; none when it is neither in one nor pending. */
    readonly outcome: (hash: string) => Effect.Effect<Option.Option<TransactionRecord>>
    /**
     * Closes a ledger over everything pending. Its close time is the clock's, at least a second after the last
     * ledger's, or the last ledger's plus `advanceSeconds` (at least one).
     */
    readonly closeLedger: (options?: { readonly advanceSeconds?: number }) => Effect.Effect<LedgerRecord>
    /** Closes a ledger after which entries or header fields are changed by other means than transactions. */
    readonly amend: (change: (state: State) => State) => Effect.Effect<LedgerRecord>
  }
>() {
  static layer(options: Partial<NetworkOptions> = {}): Layer.Layer<Network> {
    return Layer.scoped(Network, makeNetwork({ ...networkDefaults, ...options }))
  }
}

interface Live {
  readonly chain: Chain
  /** Completed when the next ledger closes. */
  readonly next: Deferred.Deferred<void>
}

/** A ledger that cannot be closed must not stop the network for good: what was pending is given up. */
const withoutPending = (live: Live): Live => ({
  ...live,
  chain: { ...live.chain, queue: afterLedger(live.chain.queue, live.chain.state.header.ledgerSeq, live.chain.queue.pending) }
})

const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

const makeNetwork = Effect.fn("Network.make")(function* (options: NetworkOptions) {
  const apply: ApplyOptions = { networkPassphrase: options.passphrase, signatures: "verify" }
  const first = genesis(
    {
      ledgerVersion: options.protocolVersion,
      closeTime: yield* nowSeconds,
      baseFee: options.baseFee,
      baseReserve: options.baseReserve
    },
    options.passphrase,
    options.retention
  )
  const live = yield* Ref.make<Live>({ chain: first, next: yield* Deferred.make<void>() })

  const close = Effect.fn("Network.close")(function* (
    closing: { readonly advanceSeconds?: number | undefined; readonly amend?: (state: State) => State }
  ) {
    const now = yield* nowSeconds
    const fresh = yield* Deferred.make<void>()
    const [closed, reached] = yield* Ref.modify(live, ({ chain, next }): [readonly [Closed, Live["next"]], Live] => {
      const last = chain.state.header.closeTime
      const least = last + 1n
      const wanted = closing.advanceSeconds === undefined ? now : last + BigInt(Math.floor(closing.advanceSeconds))
      const closed = closeNext(chain, apply, wanted > least ? wanted : least, closing.amend)
      return [[closed, next], { chain: closed.chain, next: fresh }]
    })
    yield* Deferred.succeed(reached, undefined)
    return closed.ledger
  }, Effect.tapDefect(() => Ref.update(live, withoutPending)))

  const submit = Effect.fn("Network.submit")(function* (envelope: xdr.TransactionEnvelope) {
    const now = yield* nowSeconds
    const facts = yield* Effect.sync(() => transactionFacts(envelope, options.passphrase))
    const verdict = yield* Ref.modify(live, (current): [Verdict, Live] => {
      const { chain, verdict } = submitTo(current.chain, facts, apply, now)
      return [verdict, { ...current, chain }]
    })
    if (verdict === "pending" && options.closeOnSubmit) yield* close({})
    return { facts, verdict }
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
      Effect.catchAllDefect((defect) => Effect.logError("a ledger could not be closed", defect)),
      Effect.schedule(Schedule.spaced(options.closeEvery)),
      Effect.forkScoped
    )
  }

  return Network.of({
    passphrase: options.passphrase,
    root: Keypair.master(options.passphrase),
    snapshot: Effect.map(Ref.get(live), ({ chain }) => chain),
    submit,
    outcome,
    closeLedger: (closing) => close({ advanceSeconds: closing?.advanceSeconds }),
    amend: (amend) => close({ amend })
  })
})

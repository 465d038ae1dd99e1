import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Data, Deferred, Effect, Option, Ref } from "effect"
import { ledgerSeconds } from "../../ledger/Header.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { Faults } from "../faults/Faults.ts"
import { maxLag } from "../faults/LimitedServer.ts"
import { afterEmpty, type Chain, type ChainOptions, closeNext, enactNext, submitTo, type Verdict } from "./Chain.ts"
import type { LedgerRecord, TransactionRecord } from "./LedgerRecord.ts"
import { afterLedger } from "./Queue.ts"
import { type TransactionFacts, transactionFacts } from "./TransactionFacts.ts"
import { type TransactionContent, unsignedEnvelope } from "./UnsignedTransaction.ts"

/** A network at one moment, its earlier versions and its clock. */
export interface NetworkState {
  readonly chain: Chain
  /** Earlier versions, newest first. */
  readonly past: ReadonlyArray<Chain>
  /** Seconds the network's clock is ahead of the process's; below zero where it is behind. */
  readonly ahead: bigint
  /** Completed when the next ledger closes. */
  readonly next: Deferred.Deferred<void>
}

/** A network that runs: its state, the rules it applies and the faults that are set. */
export interface RunningNetwork {
  readonly state: Ref.Ref<NetworkState>
  readonly rules: ChainOptions
  readonly faults: Faults
  /** Whether each accepted transaction closes a ledger at once. */
  readonly closeOnSubmit: boolean
}

/** How a ledger is closed: by the network's clock, unless an option says how much later. */
export interface CloseOptions {
  /** Seconds after the last ledger, at least one. */
  readonly advanceSeconds?: number | undefined
  /** How many ledgers later; all but the last are empty and not kept. Five seconds each, unless `advanceSeconds` is given. */
  readonly ledgers?: number | undefined
}

/** What the network answered to a transaction, and what it read in the envelope. */
export interface Submission {
  readonly facts: TransactionFacts
  readonly verdict: Verdict
}

/** No ledger took the transaction: it is invalid in the present state. */
export class EnactFailed extends Data.TaggedError("EnactFailed")<{ readonly result: xdr.TransactionResult }> {}

/** Seconds by which a ledger closes after the last; undefined where the clock decides. */
const advanceOf = ({ advanceSeconds, ledgers = 1 }: CloseOptions): number | undefined =>
  advanceSeconds ?? (ledgers > 1 ? ledgers * ledgerSeconds : undefined)

/** The process's clock in Unix seconds. */
export const clockSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

const later = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** Drops what is pending: a ledger that cannot be closed must not stop the network. */
const withoutPending = (network: NetworkState): NetworkState => {
  const { queue, state } = network.chain
  const dropped = { dropped: queue.pending, passedOver: [] }
  return { ...network, chain: { ...network.chain, queue: afterLedger(queue, state.header.ledgerSeq, dropped) } }
}

/** The state one ledger later. */
const withLedger = (network: NetworkState, chain: Chain, next: NetworkState["next"], ahead = network.ahead): NetworkState => ({
  chain,
  past: [network.chain, ...network.past].slice(0, maxLag),
  ahead,
  next
})

/** Closes a ledger over everything pending; `amend` changes entries or header fields after its transactions. */
export const closeLedger = Effect.fnUntraced(
  function*({ faults, rules, state }: RunningNetwork, closing: CloseOptions & { readonly amend?: (state: LedgerState) => LedgerState }) {
    const clock = yield* clockSeconds
    const { baseFee, capacity } = yield* faults.ofLedger
    const inForce = {
      ...rules,
      ...(baseFee === undefined ? {} : { surgeBaseFee: baseFee }),
      ...(capacity === undefined ? {} : { capacity })
    }
    const fresh = yield* Deferred.make<void>()
    const [ledger, reached] = yield* Ref.modify(state, (now): [readonly [LedgerRecord, NetworkState["next"]], NetworkState] => {
      const last = now.chain.state.header.closeTime
      const advance = advanceOf(closing)
      const closeTime = advance === undefined ? later(clock + now.ahead, last) : last + later(BigInt(Math.floor(advance)), 1n)
      const { chain, ledger } = closeNext(afterEmpty(now.chain, (closing.ledgers ?? 1) - 1), inForce, closeTime, closing.amend)
      const ahead = advance === undefined ? now.ahead : later(now.ahead, closeTime - clock)
      return [[ledger, now.next], withLedger(now, chain, fresh, ahead)]
    })
    yield* Deferred.succeed(reached, undefined)
    return ledger
  },
  (effect, { state }) => Effect.tapDefect(effect, () => Ref.update(state, withoutPending))
)

/** Offers a transaction to the queue, and closes a ledger over it where the network closes on submission. */
export const submitTransaction = Effect.fnUntraced(function*(
  network: RunningNetwork,
  envelope: xdr.TransactionEnvelope
): Effect.fn.Return<Submission> {
  const { closeOnSubmit, faults, rules, state } = network
  const clock = yield* clockSeconds
  const facts = yield* Effect.sync(() => transactionFacts(envelope, rules.networkPassphrase))
  const fault = Option.map(yield* faults.ofSubmission, ({ _tag }) => _tag)
  if (Option.contains(fault, "TryAgainLater")) return { facts, verdict: "try_again_later" }
  const capacity = yield* faults.capacity
  const isLost = Option.contains(fault, "DroppedTransaction")
  const verdict = yield* Ref.modify(state, (now): [Verdict, NetworkState] => {
    const { chain, verdict } = submitTo(now.chain, facts, capacity === undefined ? rules : { ...rules, capacity }, clock + now.ahead)
    return [verdict, isLost ? now : { ...now, chain }]
  })
  if (verdict === "pending" && !isLost && closeOnSubmit && capacity === undefined) yield* closeLedger(network, {})
  return { facts, verdict }
})

/** Applies operations as a transaction in a ledger of its own, its signatures taken as given; what is pending stays so. */
export const enactTransaction = Effect.fnUntraced(function*({ rules, state }: RunningNetwork, content: TransactionContent) {
  const clock = yield* clockSeconds
  const fresh = yield* Deferred.make<void>()
  const passphrase = rules.networkPassphrase
  const done = yield* Ref.modify(state, (now): [Effect.Effect<TransactionRecord, EnactFailed>, NetworkState] => {
    const facts = transactionFacts(unsignedEnvelope(now.chain, content, passphrase), passphrase)
    const enacted = enactNext(now.chain, facts, rules, later(clock + now.ahead, now.chain.state.header.closeTime))
    if ("refused" in enacted) return [Effect.fail(new EnactFailed({ result: enacted.refused })), now]
    const record = Option.fromNullable(enacted.ledger.transactions[0])
    return [
      Effect.zipRight(Deferred.succeed(now.next, undefined), Effect.orDie(record)),
      withLedger(now, enacted.chain, fresh)
    ]
  })
  return yield* done
})

/** Waits until a transaction is in a ledger; none when it is neither in one nor pending. */
export const transactionOutcome = (network: RunningNetwork, hash: string): Effect.Effect<Option.Option<TransactionRecord>> =>
  Effect.flatMap(Ref.get(network.state), ({ chain, next }) => {
    const found = chain.history.transaction(hash)
    const isPending = chain.queue.pending.some((facts) => facts.hash === hash || facts.innerHash === hash)
    return Option.isSome(found) || !isPending
      ? Effect.succeed(found)
      : Effect.zipRight(Deferred.await(next), Effect.suspend(() => transactionOutcome(network, hash)))
  })

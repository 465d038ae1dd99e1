import type { HttpClient } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { showAmount } from "../domain/Amount.ts"
import { PlanBlocker } from "../domain/Blocker.ts"
import { ClosedAccount } from "../domain/ClosedAccount.ts"
import { CloseTransaction } from "../domain/CloseTransaction.ts"
import { NeedsDecisions, QuoteDrifted } from "../domain/failure/Planning.ts"
import { TransactionFailed } from "../domain/failure/Submitting.ts"
import { SourcesDisagree } from "../domain/failure/Upstream.ts"
import type { Memo } from "../domain/Memo.ts"
import { accountView } from "./AccountView.ts"
import { agree } from "./Agreeing.ts"
import { type Agreement, agreementOf, sentDecisions } from "./Agreement.ts"
import { type CloseFailure, UnexpectedAnswer } from "./ClientFailure.ts"
import type { CloseEvent } from "./CloseEvent.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import { Closing } from "./Closing.ts"
import { Inventory } from "./Inventory.ts"
import { followed } from "./NextActions.ts"
import { outcomeOf } from "./Outcome.ts"
import { type PlanFacts, planFacts } from "./PlanFacts.ts"
import type { Receipt, ReceiptTransaction } from "./Receipt.ts"
import { closingOf } from "./Retrying.ts"
import { called, CallFailed, Service } from "./ServiceClient.ts"
import { coSigned, feeBumped, signed } from "./Signatures.ts"
import type { BuildWarnings, SigningRequest } from "./SigningRequest.ts"
import type { SignedPurchase } from "./Spending.ts"
import { carefully, submitted } from "./Submission.ts"
import { type Begun, verified, wholeOf } from "./Verification.ts"
import { witnessedAccount } from "./Witness.ts"

/** Attempts in a row that a new plan was needed after, before the last failure is the close's own. */
const mostReplans = 5

/** Transactions of one close, at most: it must come to an end regardless of what a service says. */
const mostTransactions = 1_000

const encodeTransaction = Schema.encodeSync(CloseTransaction)
const encodeWarnings = Schema.encodeSync(Schema.Array(PlanBlocker))
const encodeClosed = Schema.encodeSync(ClosedAccount)

/** What is known of the close under way. */
interface Progress {
  readonly agreement: Agreement
  readonly confirmed: Array<ReceiptTransaction>
  inventory: Inventory
  facts: PlanFacts
  readonly purchases: Array<SignedPurchase>
  whole: Begun["whole"]
  usedSequence: bigint
  mergeHash: string | null
}

type Needs = Closing | Service | HttpClient.HttpClient

const isSameMemo = (asked: Memo, found: Memo | null): boolean => {
  if (found === null || found.type !== asked.type) return false
  const isHex = asked.type === "hash" || asked.type === "return"
  return isHex ? found.value.toLowerCase() === asked.value.toLowerCase() : found.value === asked.value
}

/** The account is gone by the witness too, where the caller has one; it may be a few ledgers behind. */
const isGone = ({ source, witness }: CloseSettings): Effect.Effect<void, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { retrying } = yield* Closing
    if (witness === undefined) return
    yield* retrying(Effect.flatMap(witnessedAccount(witness, source), (left) =>
      left === null
        ? Effect.void
        : new CallFailed({ failure: new SourcesDisagree({ about: source }), retry: "after_delay", retryAfterSeconds: null })))
  })

const receiptOf = (settings: CloseSettings, closed: ClosedAccount | undefined, { confirmed }: Progress) =>
  Effect.gen(function*() {
    const { destination, memo, passphrase, source } = settings
    const wrong = (reason: string) => new UnexpectedAnswer({ reason: `the account is said to be closed, but ${reason}` })
    if (closed === undefined) return yield* wrong("it is not said how")
    if (closed.paidTo !== destination) return yield* wrong(`its lumens went to ${closed.paidTo}`)
    if (memo !== null && !isSameMemo(memo, closed.memo)) return yield* wrong("not with your memo")
    yield* isGone(settings)
    return { networkPassphrase: passphrase, source, destination, closed: encodeClosed(closed), transactions: confirmed } satisfies Receipt
  })

/** Which transaction it is, and of how many. */
interface Count {
  readonly number: number
  readonly of: number | null
}

/** A transaction as the service built it, with its warnings. */
interface Built {
  readonly transaction: CloseTransaction
  readonly warnings: BuildWarnings
}

/** Brings a transaction to the ledger by what `next` lists, once it is verified. */
const carryOut = ({ transaction, warnings }: Built, { agreement, ...known }: Progress, count: Count) =>
  Effect.gen(function*() {
    const { emit, settings } = yield* Closing
    const { feePayer, mediator, passphrase } = settings
    const shown = encodeTransaction(transaction)
    const next = yield* followed(transaction.next, { mediator: mediator !== undefined, feePayer: feePayer !== undefined })
    const checked = yield* verified(transaction, agreement, known)
    const { explanation, guaranteed, sequence, spending } = checked
    const guaranteedLumens = guaranteed === null ? null : showAmount(guaranteed)
    yield* emit({ _tag: "verified", hash: checked.hash, transaction: shown, explanation, ...count })
    let { envelope, hash } = checked
    // The mediator signs for itself.
    const signing = shown.signing.filter(({ account }) => account !== mediator)
    const request = (): SigningRequest => ({
      envelope,
      hash,
      networkPassphrase: passphrase,
      explanation,
      guaranteedLumens,
      warnings,
      signing
    })
    for (const action of next) {
      if (action === "sign") {
        if (spending.size > 0) known.purchases.push({ sequence, hash, spending })
        known.inventory.signed(sequence, checked.names)
        envelope = yield* signed(request())
        yield* emit({ _tag: "signed", hash, envelope, ...count })
      }
      if (action === "mediator_sign" && mediator !== undefined) {
        const answer = yield* carefully(hash, coSigned(envelope, hash, mediator))
        if (typeof answer !== "string") return { ...checked, ...answer }
        envelope = answer
      }
      if (action === "fee_bump" && feePayer !== undefined) {
        ;({ envelope, hash } = yield* feeBumped(request(), feePayer, checked.feeCap))
        if (spending.size > 0) known.purchases.push({ sequence, hash, spending })
      }
    }
    yield* emit({ _tag: "submitted", hash, ...count })
    return { ...checked, ...(yield* submitted(envelope, hash)) }
  })

/** Builds the next transaction and brings it to the ledger; the end of the account once there is nothing left to build. */
const advance = (progress: Progress): Effect.Effect<ClosedAccount | null, CallFailed | CloseFailure, Needs> =>
  Effect.gen(function*() {
    const { emit, request, retrying, settings: { destination, network, passphrase, source, witness } } = yield* Closing
    const { close } = yield* Service
    const mergeHash = progress.mergeHash === null ? {} : { mergeHash: progress.mergeHash }
    const payload = { ...request, ...mergeHash, decisions: sentDecisions(progress.agreement) }
    const built = yield* retrying(called(close.transactions({ path: { network }, payload })).pipe(isReplanned))
    if (built instanceof CallFailed) return yield* built
    if (built.status === "complete") {
      return built.closed ?? (yield* new UnexpectedAnswer({ reason: "the account is said to be closed, but not how" }))
    }
    const [transaction, ...more] = built.transactions
    if (transaction === undefined || more.length > 0) return yield* new UnexpectedAnswer({ reason: "not exactly one transaction is built" })
    const number = progress.confirmed.length + 1
    const { transactions: after } = built.remaining
    const count: Count = { number, of: after === null ? null : number + after }
    const warnings = encodeWarnings(built.warnings ?? [])
    yield* emit({ _tag: "built", transaction: encodeTransaction(transaction), warnings, ...count })
    const { guaranteed, hash, ledger, sequence } = yield* carryOut({ transaction, warnings }, progress, count)
    progress.usedSequence = sequence
    progress.inventory.landed()
    if (guaranteed !== null) progress.mergeHash = hash
    const outcome = yield* outcomeOf(witness, hash, { source, destination, passphrase })
    progress.confirmed.push({ hash, ledger, outcome })
    yield* emit({ _tag: "confirmed", hash, ledger, outcome, ...count })
    return null
  })

/** A failure that a new plan helps is an outcome, so that it is not waited for. */
const isReplanned = <A, R>(call: Effect.Effect<A, CallFailed, R>): Effect.Effect<A | CallFailed, CallFailed, R> =>
  Effect.catchTag(
    call,
    "CallFailed",
    (failed) => failed.retry === "replan" || failed.failure instanceof NeedsDecisions ? Effect.succeed(failed) : Effect.fail(failed)
  )

/** Takes back what was agreed about a sale that brings less now, so that it becomes a question again. */
const drop = ({ decided, sales }: Agreement, { failure }: CallFailed): void => {
  if (!(failure instanceof QuoteDrifted)) return
  const before = decided.get(failure.decisionId)
  if (before === undefined) return
  decided.delete(failure.decisionId)
  // A new floor is compared with it.
  sales.set(failure.decisionId, before)
}

/**
 * The account before it is planned for: a gift that arrives while the owner decides is not part of what the account had when the close began.
 * Null where the account is gone.
 */
const viewBefore = (settings: CloseSettings) =>
  Effect.flatMap(
    Closing,
    ({ retrying }) => Effect.catchTag(retrying(accountView(settings, 0n)), "AccountNotFound", () => Effect.succeed(null))
  )

const loop = (settings: CloseSettings): Effect.Effect<Receipt, CloseFailure, Needs> =>
  Effect.gen(function*() {
    const { retrying } = yield* Closing
    const agreement = yield* agreementOf(settings.decisions, settings.echoed)
    const progress: Progress = {
      agreement,
      confirmed: [],
      inventory: new Inventory({ held: [], sequence: 0n }),
      facts: planFacts({ decisionPoints: [] }),
      purchases: [],
      whole: new Map(),
      usedSequence: 0n,
      mergeHash: null
    }
    const before = yield* viewBefore(settings)
    const plan = yield* agree(agreement)
    if (plan.status === "complete") return yield* receiptOf(settings, plan.closed, progress)
    const began = before ?? (yield* retrying(accountView(settings, 0n)))
    progress.facts = planFacts(plan)
    progress.inventory = new Inventory(began)
    progress.whole = wholeOf(began)
    let replans = 0
    while (progress.confirmed.length < mostTransactions) {
      const ended = yield* Effect.either(advance(progress))
      if (Either.isRight(ended)) {
        if (ended.right !== null) return yield* receiptOf(settings, ended.right, progress)
        replans = 0
        agreement.asked.clear()
        continue
      }
      const failed = ended.left
      if (!(failed instanceof CallFailed)) return yield* Effect.fail(failed)
      if (++replans > mostReplans) return yield* Effect.fail(failed.failure)
      if (failed.failure instanceof TransactionFailed) progress.inventory.failed()
      drop(agreement, failed)
      const again = yield* agree(agreement)
      progress.facts = planFacts(again)
      progress.inventory.plannedBy(again)
      if (again.status === "complete") return yield* receiptOf(settings, again.closed, progress)
    }
    return yield* new UnexpectedAnswer({ reason: `the close does not end within ${mostTransactions} transactions` })
  })

/** Closes an account, and tells each event. */
export const closeLoop = (
  settings: CloseSettings,
  emit: (event: CloseEvent) => Effect.Effect<void>
): Effect.Effect<Receipt, CloseFailure, Service | HttpClient.HttpClient> =>
  Effect.provideService(
    Effect.tap(loop(settings), (receipt) => emit({ _tag: "receipt", receipt })),
    Closing,
    closingOf(settings, emit)
  )

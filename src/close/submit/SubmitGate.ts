import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big, Clock, Context, Effect, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { InvalidTransaction } from "../../domain/failure/Input.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import { MediatorRefused, RegistryExpired } from "../../domain/failure/Upstream.ts"
import { innermost, type PlainTransaction } from "../../ledger/Transaction.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountBehind, carriesMemo, type Forwarding, forwardingOf } from "../mediator/MediatedEnvelope.ts"
import { FormerMediators } from "../read/FormerMediators.ts"
import { type AgreementFailure, SourceAgreement } from "../read/SourceAgreement.ts"
import { type Destination, readDestination } from "../situation/DestinationState.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { mediatorPaused, MediatorWatch } from "../situation/MediatorWatch.ts"
import { muxedProblem } from "../situation/MuxedDestination.ts"
import { isResidue } from "../situation/ResidueLimit.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"

export type SubmitGateFailure = AccountNotFound | PlanChanged | RegistryExpired | MediatorRefused | AgreementFailure | ChainFailure

/** Where a transaction sends all that an account has. */
interface Target {
  readonly address: AccountAddress
  /** By a merge, or by the payment behind a merge into the mediator. */
  readonly by: "merge" | "payment"
  readonly isMuxed: boolean
  /** The transaction itself creates it. Its ledger entry then tells nothing, but the registry does. */
  readonly isCreated: boolean
}

const mergesOf = ({ tx }: PlainTransaction): ReadonlyArray<xdr.MuxedAccount> =>
  tx.operations.flatMap(({ body }) => (body.type === "accountMerge" ? [body.destination] : []))

const createdBy = ({ tx }: PlainTransaction): ReadonlySet<string> =>
  new Set(tx.operations.flatMap(({ body }) => (body.type === "createAccount" ? [addressOf(body.createAccountOp.destination)] : [])))

const targetsOf = (transaction: PlainTransaction, forwarding: Forwarding | null): ReadonlyArray<Target> => {
  if (forwarding !== null) return [{ address: forwarding.destination, by: "payment", isMuxed: false, isCreated: false }]
  const created = createdBy(transaction)
  return mergesOf(transaction).map((account) => {
    const address = accountBehind(account)
    return { address, by: "merge", isMuxed: account.type === "keyTypeMuxedEd25519", isCreated: created.has(address) }
  })
}

/** Why what arrives is credited to no one; null where it is: an id of the address stands for a memo. */
const creditProblem = (
  { asksForMemo, listing, unverified }: Pick<Destination, "asksForMemo" | "listing" | "unverified">,
  { isMuxed }: Target,
  { memo }: xdr.Transaction
): string | null => {
  if (isMuxed) return muxedProblem({ listing, unverified }) === null ? null : "listed"
  if (listing !== null && !carriesMemo(memo, listing)) return "memo_required"
  return asksForMemo && memo.type === "memoNone" ? "memo_required" : null
}

/** Why an account can no longer be paid this way; null when it can. */
const problemOf = (destination: Destination, target: Target, tx: xdr.Transaction): string | null => {
  const { account, listing, lockedForEver, unverified } = destination
  if (account === null && !target.isCreated) return "missing"
  if (lockedForEver) return "locked"
  if (unverified !== null) return "unverified"
  return target.by === "merge" && listing?.requiresMediator === true ? "listed" : creditProblem(destination, target, tx)
}

/**
 * Checks that are repeated before a signed transaction is sent. Minutes or hours may pass between building and submitting a transaction,
 * and a merge cannot be undone.
 */
export class SubmitGate extends Context.Tag("closeout/close/SubmitGate")<SubmitGate, {
  /** Fails for a kind of envelope that is never sent: a fee bump around a mediated close, whose amount rests on the inner fee. */
  readonly admit: (submitted: SubmittedEnvelope) => Effect.Effect<void, InvalidTransaction>
  /** Fails when a merge would go astray now: its destination has changed, the mediator is paused, or would pass on another amount. */
  readonly check: (submitted: SubmittedEnvelope) => Effect.Effect<void, SubmitGateFailure>
}>() {
  static readonly layer = Layer.effect(
    SubmitGate,
    Effect.gen(function*() {
      const agreement = yield* SourceAgreement
      const entries = yield* LedgerEntries
      const former = yield* FormerMediators
      const registry = yield* ExchangeRegistry
      const { mediator } = yield* MediatorSigner
      const { firstAlarm } = yield* MediatorWatch

      const isCurrent = (address: AccountAddress) => Option.exists(mediator, (ours) => ours.address === address)
      const isMediator = (address: AccountAddress) => isCurrent(address) || former.includes(address)

      /** What came in or went out since a mediated close was built would stay with the mediator, or be drawn from it. */
      const amountStands = Effect.fnUntraced(function*({ amount, closer, fee }: Forwarding) {
        const { closer: account } = yield* agreement.believed(closer, [])
        if (account === null) return yield* new AccountNotFound({ address: closer })
        const covered = account.balance - fee
        if (isResidue(covered - amount)) return
        const change = {
          kind: "amount",
          subject: "native",
          agreed: showAmount(amount),
          current: showAmount(Big.max(covered, 0n))
        } as const
        return yield* new PlanChanged({ planHash: null, changes: [change] })
      })

      const mediatorServes = Effect.fnUntraced(function*(forwarding: Forwarding) {
        if (isCurrent(forwarding.mediator) && (yield* firstAlarm) !== null) return yield* new MediatorRefused({ rule: mediatorPaused })
      })

      const targetStands = Effect.fnUntraced(function*(target: Target, tx: xdr.Transaction) {
        const { address } = target
        const known = registry.about(address)
        if (known.listing !== null && !registry.freshAt(yield* Clock.currentTimeMillis)) {
          return yield* new RegistryExpired({ validUntil: registry.document.validUntil })
        }
        const found = yield* readDestination(entries, address, [], known)
        const problem = isMediator(address) ? "mediator" : problemOf(found, target, tx)
        if (problem === null) return
        return yield* new PlanChanged({ planHash: null, changes: [{ kind: "destination", subject: address, current: problem }] })
      })

      const check = Effect.fnUntraced(function*({ transaction: submitted }: SubmittedEnvelope) {
        const transaction = innermost(submitted)
        const forwarding = forwardingOf(transaction)
        if (forwarding !== null) yield* mediatorServes(forwarding)
        yield* Effect.forEach(targetsOf(transaction, forwarding), (target) => targetStands(target, transaction.tx), {
          batching: "inherit",
          concurrency: 4,
          discard: true
        })
        if (forwarding !== null) yield* amountStands(forwarding)
      })

      return {
        check,
        admit: ({ envelope, transaction }) =>
          envelope.type === "envelopeTypeTxFeeBump" && forwardingOf(innermost(transaction)) !== null
            ? new InvalidTransaction({
              reason: "The account itself must pay the fee of the last transaction into this exchange. Submit it without the fee bump."
            })
            : Effect.void
      }
    })
  )
}

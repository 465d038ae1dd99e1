import type { xdr } from "@stellar/stellar-sdk"
import { HashSet } from "effect"
import type { FeePayer, TransactionReason } from "../../domain/Plan.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { exitMove } from "../leaving/ExitMove.ts"
import { awaitedAssets, indebtedAssets, staysOpen } from "../leaving/UnlockTimes.ts"
import { mediationOf, needsMediator } from "../mediator/Mediation.ts"
import { type AtomicGroup, operationsOf } from "../situation/AtomicGroup.ts"
import { envelopeOf } from "../situation/Envelope.ts"
import { bearableBid, type FeeBid, feeBid, type LumenShortage, spreadOver } from "../situation/Fees.ts"
import { belowReserve, type Holdings, holdingsIn } from "../situation/Holdings.ts"
import type { Done, Progress } from "../situation/Progress.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { mediatedValidityOf, validityOf } from "../situation/Validity.ts"
import { topUpSponsorships } from "../steps/ReleaseSponsorships.ts"
import { emptyingSteps, freeingSteps } from "../steps/Steps.ts"
import { contractTransaction } from "./ContractTransaction.ts"
import { dryRun, type TrialResult } from "./DryRun.ts"
import { count, pack, type PackedGroups } from "./Packing.ts"

/** Operations a transaction holds at most. */
const maxOperations = 100

/** One transaction of a close: what stands in it, its unsigned envelope, and what the ledger model makes of it. */
export interface PlannedTransaction {
  readonly _tag: "Transaction"
  readonly groups: ReadonlyArray<AtomicGroup>
  readonly merges: boolean
  readonly reason: TransactionReason | null
  /** Whether it is one contract call or restoration, which the model does not apply. */
  readonly isContract: boolean
  /** The contract call that it makes; null: it makes none. */
  readonly call: ContractCall | null
  readonly holdings: Holdings
  /** The ledger before it. */
  readonly ledgerState: LedgerState
  readonly bid: FeeBid
  readonly envelope: xdr.TransactionEnvelope
  readonly validUntil: bigint
  readonly validUntilLedger: number
  readonly applied: TrialResult
  /** The ledger on which what a contract call does was simulated: the model judged only what is around the call. Null for classic work. */
  readonly simulatedAt: number | null
  /** What it brings about positions; null: nothing. */
  readonly progress: Progress | null
  /** Why what it does is not known exactly, as what is said of its call; null when it is. */
  readonly doubt: string | null
}

/** Where what a transaction does was simulated, as the wire tells it; null where the model applied it. */
export const simulatedIn = (
  { simulatedAt }: PlannedTransaction
): { readonly ledger: number } | null => (simulatedAt === null ? null : { ledger: simulatedAt })

/** No transaction: nothing is left to do, or the account cannot pay for a single operation. */
export type NextTransaction =
  | PlannedTransaction
  | { readonly _tag: "NothingLeft" }
  | LumenShortage

const reasonOf = ({ cut }: PackedGroups, room: number): TransactionReason | null => {
  if (cut === null || cut === "memo") return null
  if (cut === "reread") return "reread_needed"
  if (cut === "size") return "op_batch"
  return room < maxOperations ? "frees_lumens" : "op_batch"
}

interface ClassicContent {
  readonly groups: ReadonlyArray<AtomicGroup>
  readonly merges: boolean
  readonly reason: TransactionReason | null
  readonly progress: Progress | null
}

/** What a transaction of classic operations offers for its inclusion, who pays it, and until when it is usable. */
interface InclusionTerms {
  readonly bid: FeeBid
  readonly feePayer: FeePayer
  readonly validity: { readonly maxTime: bigint; readonly maxLedger: number }
}

/** Groups made into an envelope, and applied to the ledger model. Only what merges carries the memo. Yields before each. */
function* dryRunTransaction(
  situation: Situation,
  holdings: Holdings,
  ledgerState: LedgerState,
  settled: ClassicContent & InclusionTerms
): Generator<void, PlannedTransaction> {
  yield
  const { bid, feePayer, groups, merges, progress, reason, validity: { maxLedger, maxTime } } = settled
  const envelope = envelopeOf({
    source: holdings.address,
    currentSequence: holdings.account.seqNum,
    operations: operationsOf(groups),
    feePerOperation: feePayer === "source" ? bid.perOperation : 0n,
    memo: merges ? situation.input.memo : null,
    maxTime,
    maxLedger
  })
  yield
  return {
    _tag: "Transaction",
    groups,
    merges,
    reason,
    isContract: false,
    call: null,
    holdings,
    ledgerState,
    bid,
    envelope,
    validUntil: maxTime,
    validUntilLedger: maxLedger,
    applied: dryRun(ledgerState, envelope, feePayer, situation.passphrase),
    simulatedAt: null,
    progress,
    doubt: null
  }
}

/** The last transaction of a close into an exchange, alone and paid by the account itself: everything else is done before. */
function* mediatedTransaction(situation: Situation, holdings: Holdings, ledgerState: LedgerState): Generator<void, NextTransaction> {
  const mediation = mediationOf(situation, holdings, ledgerState.header)
  if (mediation === null) return { _tag: "NothingLeft" }
  if (mediation._tag === "NoLumens") return mediation
  const { bid, group } = mediation
  const validity = mediatedValidityOf(situation, holdings, ledgerState.header)
  return yield* dryRunTransaction(situation, holdings, ledgerState, {
    groups: [group],
    merges: true,
    reason: "mediator",
    progress: null,
    bid,
    feePayer: "source",
    validity
  })
}

/** A transaction of classic operations. It offers nothing that they need themselves. */
function* classicTransaction(
  situation: Situation,
  holdings: Holdings,
  ledgerState: LedgerState,
  classic: ClassicContent
): Generator<void, PlannedTransaction> {
  const { feePerOperation, input: { feePayer }, passphrase } = situation
  const validity = validityOf(situation, holdings, classic.merges ? "high" : "med", ledgerState.header)
  const bid = spreadOver(feeBid(situation, holdings, ledgerState.header), count(classic.groups), feePerOperation)
  const round = yield* dryRunTransaction(situation, holdings, ledgerState, { ...classic, bid, feePayer, validity })
  if (feePayer !== "source" || !succeeded(round.applied.result)) return round
  const operations = operationsOf(classic.groups)
  const perOperation = yield* bearableBid({ bid, envelope: round.envelope, operations, ledgerState, passphrase })
  return perOperation === bid.perOperation
    ? round
    : yield* dryRunTransaction(situation, holdings, ledgerState, { ...classic, bid: { ...bid, perOperation }, feePayer, validity })
}

/** What is to be done about positions, which comes before everything else; null when nothing is. */
function* exitTransaction(
  situation: Situation,
  holdings: Holdings,
  ledgerState: LedgerState,
  done: Done
): Generator<void, NextTransaction | null> {
  const move = exitMove(situation, ledgerState, holdings, done)
  switch (move._tag) {
    case "None":
      return null
    case "NoLumens":
      return move
    case "Prepare":
      return yield* classicTransaction(situation, holdings, ledgerState, {
        groups: move.groups,
        merges: false,
        reason: "prepares_exit",
        progress: move.progress
      })
    case "Contract":
      return contractTransaction(situation, holdings, ledgerState, move)
    case "Free": {
      const room = Math.min(maxOperations, feeBid(situation, holdings, ledgerState.header).affordableOperations)
      const { cut, groups } = yield* pack(situation, holdings, ledgerState, {
        steps: freeingSteps,
        room,
        mayMerge: false,
        awaited: awaitedAssets(situation.exits, null),
        owed: indebtedAssets(situation.exits, null)
      })
      return groups.length === 0
        ? yield* exitTransaction(situation, holdings, ledgerState, HashSet.add(done, move.progress))
        : yield* classicTransaction(situation, holdings, ledgerState, {
          groups,
          merges: false,
          reason: "frees_lumens",
          progress: cut === null ? move.progress : null
        })
    }
  }
}

/**
 * The next transaction from a state of the ledger on. Plan and build both come from here, so they cannot differ. `done`: what earlier
 * transactions of the same projection did about positions. Yields wherever the work may be left for a while.
 */
export function* nextTransaction(
  situation: Situation,
  ledgerState: LedgerState,
  mayMerge: boolean,
  done: Done
): Generator<void, NextTransaction> {
  const holdings = holdingsIn(ledgerState, situation.input.source)
  if (holdings === null) return { _tag: "NothingLeft" }
  const exit = yield* exitTransaction(situation, holdings, ledgerState, done)
  if (exit !== null) return exit
  const least = feeBid(situation, holdings, ledgerState.header)
  const room = Math.min(maxOperations, least.affordableOperations)
  const mediated = needsMediator(situation)
  const open = staysOpen(situation.exits, done)
  const packed = yield* pack(situation, holdings, ledgerState, {
    // What waits for a position pays its fees then: lumens are not given away before.
    steps: open ? emptyingSteps.filter((step) => step !== topUpSponsorships) : emptyingSteps,
    room,
    mayMerge: mayMerge && !mediated && !open,
    awaited: awaitedAssets(situation.exits, done),
    owed: indebtedAssets(situation.exits, done)
  })
  if (packed.groups.length === 0) {
    if (mayMerge && mediated && !open && packed.cut === null) return yield* mediatedTransaction(situation, holdings, ledgerState)
    return packed.cut === "full"
      ? {
        _tag: "NoLumens",
        needed: least.perOperation * BigInt(packed.waiting) + belowReserve(holdings.account, ledgerState.header.baseReserve),
        spendable: least.spendable,
        leeway: 0n,
        wrappable: true
      }
      : { _tag: "NothingLeft" }
  }
  return yield* classicTransaction(situation, holdings, ledgerState, {
    groups: packed.groups,
    merges: packed.merges,
    reason: reasonOf(packed, room),
    progress: null
  })
}

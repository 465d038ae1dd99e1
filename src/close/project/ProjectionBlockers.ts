import { BigInt as Big } from "effect"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { blocker } from "../../domain/Blocker.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { InsufficientLumens } from "../../domain/failure/Planning.ts"
import type { Release } from "../claims/Releases.ts"
import type { LumenShortage } from "../situation/Fees.ts"
import type { Blocker } from "../situation/Gate.ts"
import type { Done } from "../situation/Progress.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import type { TrialResult } from "./DryRun.ts"
import { dryRunRefusal } from "./DryRunRefusal.ts"
import type { NextTransaction, PlannedTransaction } from "./PlannedTransaction.ts"

/** What may lack lumens: a transaction, or that there is none. */
type AttemptedTransaction = Pick<PlannedTransaction, "_tag" | "groups"> | Exclude<NextTransaction, PlannedTransaction>

/** Where lumens do not suffice for the first time, after so many transactions, and what was done about positions before. */
export interface Shortfall {
  readonly next: AttemptedTransaction
  readonly before: number
  readonly done: Done
}

/** Stroops without which a transaction cannot be made, where nothing else is in its way; zero where they suffice. */
export const lackingIn = (next: AttemptedTransaction): bigint => {
  if (next._tag === "NoLumens") return next.needed - next.spendable
  if (next._tag !== "Transaction" || next.groups.some(({ blockers }) => blockers.some(({ lacksLumens }) => lacksLumens === undefined))) {
    return 0n
  }
  return next.groups.flatMap(({ blockers }) => blockers.map(({ lacksLumens = 0n }) => lacksLumens)).reduce(Big.max, 0n)
}

/** How much more a transaction may need by the time lumens have arrived, stroops. */
export const leewayIn = (next: AttemptedTransaction): bigint => (next._tag === "NoLumens" ? next.leeway : 0n)

/** What all transactions of a close lack, stroops, and how much more that may be by the time it has arrived. */
interface WholeShortage {
  readonly lent: bigint
  readonly leeway: bigint
}

/** `before`: transactions of the close that can be paid before the one that cannot. */
const lumenBlockers = (
  { leeway, needed, spendable, wrappable }: LumenShortage,
  before: number,
  all: WholeShortage
): ReadonlyArray<Blocker> => {
  const which = before === 0 ? "The next transaction" : `Transaction ${before + 1} of the close`
  const then = before === 0 ? "" : " then"
  const inAll = all.lent > needed - spendable ? `; over the whole close it lacks ${showAmount(all.lent + all.leeway)}` : ""
  return [{
    failure: new InsufficientLumens({ needed: stroops(needed + leeway), spendable: stroops(spendable) }),
    shown: blocker(
      "insufficient_lumens",
      `${which} needs ${showAmount(needed + leeway)} lumens, and the account can spend ${
        showAmount(spendable)
      }${then}${inAll}. Send it lumens${wrappable ? ", or use feePayer fee_bump" : ""}.`
    )
  }]
}

/** The blockers for lumens that do not suffice. Only the first shortfall is reported; its sum includes what later transactions lack. */
export const shortfallBlockers = ({ before, next }: Shortfall, all: WholeShortage): ReadonlyArray<Blocker> => {
  if (next._tag === "NoLumens") return lumenBlockers(next, before, all)
  return next._tag === "Transaction" ? next.groups.flatMap(({ blockers }) => blockers) : []
}

/** A transaction that was played on the ledger model. */
interface PlayedTransaction extends Pick<PlannedTransaction, "groups"> {
  readonly applied: Pick<TrialResult, "result" | "state">
}

/** Whether a code says that its operation fails. One that was applied, or never reached, has no other code than success. */
const isFailure = (code: string): boolean => code !== "op_success"

/** Whether all that fails in a transaction is the release of sponsorships that block already, because of their new sponsors. */
export const failsByRelease = (
  { applied, groups }: PlayedTransaction,
  releases: ReadonlyArray<Pick<Release, "blockers" | "target">>
): boolean => {
  const blocked = new Set<string | undefined>(releases.filter(({ blockers }) => blockers.length > 0).map(({ target }) => target))
  const steps = groups.flatMap((group) => group.steps.flatMap((step) => step.operations.map(() => step)))
  const failing = resultCodes(applied.result).operationResultCodes.flatMap((code, at) => (isFailure(code) ? [steps[at]] : []))
  return failing.length > 0 && failing.every((step) => step?.type === "REVOKE_SPONSORSHIP" && blocked.has(step.entry))
}

/**
 * The transaction of a projection that the ledger would refuse, as something that blocks: a plan is `ready` only when its projection
 * comes to its end. Not told while a required question is open, whose answer decides what is projected.
 */
export const failedProjection = (
  transactions: ReadonlyArray<Pick<PlayedTransaction, "applied">>,
  points: ReadonlyArray<Pick<DecisionPoint, "answered" | "required">>
): ReadonlyArray<Blocker> => {
  const index = transactions.findIndex(({ applied }) => !succeeded(applied.result))
  const failing = transactions[index]
  if (failing === undefined || points.some(({ answered, required }) => required && !answered)) return []
  const result = resultCodes(failing.applied.result)
  const transaction = `transactions[${index}]`
  const codes = [result.resultCode, ...new Set(result.operationResultCodes.filter(isFailure))].join(", ")
  return [{
    failure: dryRunRefusal(transaction, failing),
    shown: blocker(
      "projection_failed",
      `Transaction ${
        index + 1
      } of the close would fail on the ledger (${codes}). Choose another option for its step, or fix the cause, and plan again.`,
      transaction
    )
  }]
}

/** The last sequence number the close uses must stay below the first one of its last ledger, or the merge is refused. */
export const sequenceBlockers = (
  { ledgerState, snapshot }: Pick<Situation, "ledgerState"> & { readonly snapshot: Pick<Situation["snapshot"], "accountEntry"> },
  transactions: number
): ReadonlyArray<Blocker> => {
  const lastSequence = snapshot.accountEntry.seqNum + BigInt(transactions)
  return lastSequence < BigInt(ledgerState.header.ledgerSeq) << 32n
    ? []
    : [{
      failure: null,
      shown: blocker(
        "sequence_too_far",
        "The account's sequence number is ahead of the ledger. The ledger rejects the merge until it catches up."
      )
    }]
}

/** Nothing blocks, a destination is named, and still the account cannot be emptied: something it holds was not seen. */
export const remainder = (
  situation: Pick<Situation, "destination">,
  blockers: ReadonlyArray<Blocker>,
  open: boolean,
  last: Pick<PlannedTransaction, "merges"> & Pick<PlayedTransaction, "applied"> | undefined
): ReadonlyArray<Blocker> =>
  situation.destination === null || blockers.length > 0 || open || (last !== undefined && (last.merges || !succeeded(last.applied.result)))
    ? []
    : [{ failure: null, shown: blocker("subentry_mismatch", "The account counts sub-entries that no step of the close removes.") }]

import { BigInt as Big } from "effect"
import { isOfLater } from "../situation/LaterGifts.ts"
import { acceptedFee } from "../situation/ResourceFees.ts"
import type { Situation } from "../situation/Situation.ts"
import { count } from "./Packing.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

type FeeLimits = Pick<Situation, "exits" | "input" | "mostFeePerOperation">

const operationsIn = ({ groups }: PlannedTransaction): bigint => BigInt(Math.max(1, count(groups)))

/** Stroops of fees that a projection takes off already. What a merge through the mediator pays is reckoned after its whole bid. */
const reckonedFee = (planned: PlannedTransaction): bigint =>
  planned.reason === "mediator" ? planned.bid.perOperation * operationsIn(planned) : planned.applied.feeCharged

/** What the call or restoration of a transaction is about, by its decision; null: it has no call. */
const subjectOfCall = ({ isContract, progress }: PlannedTransaction): string | null =>
  isContract && progress !== null && "position" in progress ? progress.position : null

/** Stroops that one attempt at a transaction takes at most: a later build may bid up to the settings, never more than the account can pay. */
const feeLimit = ({ exits, input, mostFeePerOperation }: FeeLimits, planned: PlannedTransaction): bigint => {
  const subject = subjectOfCall(planned)
  const resources = subject === null ? 0n : acceptedFee(input.answers.to({ id: subject }), exits.mostResourceFee)
  return Big.max(reckonedFee(planned), Big.min(mostFeePerOperation * operationsIn(planned) + resources, planned.bid.spendable))
}

/** What a sale by a contract call is taken to bring: as quoted, or at its floor. */
export type SaleProceeds = (quoted: { readonly receive: bigint; readonly floor: bigint }) => bigint

/**
 * Stroops that fees may take of a transaction beyond what its projection reckons with, over so many attempts. A sale through contracts counts
 * for nothing at worst: where its fee would take all that it brings, it is not made. What strangers gave later is left only where that pays for
 * its fee.
 */
export const feesAtRisk = (limits: FeeLimits, planned: PlannedTransaction, attempts: bigint, proceeds: SaleProceeds): bigint => {
  const { input } = limits
  if (input.feePayer === "fee_bump" && planned.reason !== "mediator") return 0n
  const subject = subjectOfCall(planned)
  if (subject !== null && isOfLater(input.later, subject)) return 0n
  const whole = attempts * feeLimit(limits, planned)
  const brings = planned.isContract ? planned.groups.reduce((sum, { quoted }) => sum + proceeds(quoted), 0n) : 0n
  return Big.max((brings > 0n ? Big.min(whole, brings) : whole) - reckonedFee(planned), 0n)
}

/** Stroops that a call which is not projected yet may take, over two attempts. */
export const feesOfCall = ({ exits: { mostResourceFee }, input: { feePayer }, mostFeePerOperation }: FeeLimits): bigint =>
  feePayer === "fee_bump" ? 0n : 2n * (mostResourceFee + mostFeePerOperation)

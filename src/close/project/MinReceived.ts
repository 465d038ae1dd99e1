import { BigInt as Big } from "effect"
import { stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { BelowAcceptedMinimum } from "../../domain/failure/Planning.ts"
import type { Sold } from "../../domain/SoldAmount.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { slippageOf } from "../situation/CloseInput.ts"
import { isOfLater } from "../situation/LaterGifts.ts"
import type { Moved } from "../situation/Moved.ts"
import { acceptedFee } from "../situation/ResourceFees.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { count } from "./Packing.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"
import type { Projection } from "./Projection.ts"

/** What limits fees: of the request its payer and its answers, and of the settings the most that may be bid. */
interface FeeLimits {
  readonly exits: Pick<Situation["exits"], "mostResourceFee">
  readonly input: Pick<Situation["input"], "answers" | "feePayer" | "later">
  readonly mostFeePerOperation: bigint
}

/** What the fees of a transaction, and what it brings, are computed from. */
type ChargedTransaction = Pick<PlannedTransaction, "bid" | "groups" | "isContract" | "progress" | "reason"> & {
  readonly applied: Pick<PlannedTransaction["applied"], "feeCharged" | "result">
}

/** A projected close as fees are charged to it: what arrives (stroops), and its transactions. */
interface ChargedClose {
  readonly received: bigint
  readonly transactions: ReadonlyArray<ChargedTransaction>
}

/** The same, and whether it got as far as the merge. */
type EndedClose = ChargedClose & Pick<Projection, "merges">

/** A request that may name an amount of lumens that it accepts. */
interface AcceptRequest extends FeeLimits {
  readonly input: FeeLimits["input"] & Pick<Situation["input"], "accept" | "maxSlippageBps" | "mostSlippageBps">
}

const operationsIn = ({ groups }: Pick<ChargedTransaction, "groups">): bigint => BigInt(Math.max(1, count(groups)))

/** Stroops of fees that a projection takes off already. What a merge through the mediator pays is computed after its whole bid. */
const reckonedFee = (planned: ChargedTransaction): bigint =>
  planned.reason === "mediator" ? planned.bid.perOperation * operationsIn(planned) : planned.applied.feeCharged

/** What the call or restoration of a transaction is about, by its decision; null: it has no call. */
const subjectOfCall = ({ isContract, progress }: ChargedTransaction): string | null =>
  isContract && progress !== null && "position" in progress ? progress.position : null

/** Stroops that one attempt at a transaction takes at most: a later build may bid up to the settings, never more than the account can pay. */
const feeLimit = ({ exits, input, mostFeePerOperation }: FeeLimits, planned: ChargedTransaction): bigint => {
  const subject = subjectOfCall(planned)
  const resources = subject === null ? 0n : acceptedFee(input.answers.to({ id: subject }), exits.mostResourceFee)
  return Big.max(reckonedFee(planned), Big.min(mostFeePerOperation * operationsIn(planned) + resources, planned.bid.spendable))
}

/** Stroops that a sale is taken to bring: as quoted, or at one of its floors. */
type ProceedsOf = (group: Pick<AtomicGroup, "quoted">) => bigint

/** As quoted now. */
const quotedProceeds: ProceedsOf = ({ quoted }) => quoted.receive

/** What was agreed: a later build may sell for as little. */
const agreedFloor: ProceedsOf = ({ quoted }) => quoted.floor

/** What the transaction itself insists on. */
const writtenFloor: ProceedsOf = ({ quoted }) => Big.max(quoted.least, quoted.floor)

/** Whether the owner accepts a resource fee of a call by name: it is then made even where it costs more than it brings. */
const namesFee = ({ answers }: FeeLimits["input"], subject: string | null): boolean =>
  subject !== null && answers.to({ id: subject })?.params?.maxResourceFee !== undefined

/** Stroops that fees of so many attempts take at most. All of them but the last fail. */
const feesOfAttempts = (limits: FeeLimits, planned: ChargedTransaction, attempts: bigint, proceedsOf: ProceedsOf): bigint => {
  const limit = feeLimit(limits, planned)
  const sum = (of: ProceedsOf) => planned.groups.reduce((all, group) => all + of(group), 0n)
  const quoted = planned.isContract ? sum(quotedProceeds) : 0n
  if (quoted === 0n || namesFee(limits.input, subjectOfCall(planned))) return attempts * limit
  return (attempts - 1n) * Big.min(limit, quoted) + Big.min(limit, sum(proceedsOf))
}

/**
 * Stroops that fees may take of a transaction beyond what its projection computes with, over so many attempts. Unasked, a sale through contracts
 * is not made where its fee takes all that it brings, so it counts for nothing at worst. A failed attempt at it costs its fee and brings nothing. What
 * strangers gave later is left only where that pays for its fee.
 */
const feesAtRisk = (limits: FeeLimits, planned: ChargedTransaction, attempts: bigint, proceedsOf: ProceedsOf): bigint => {
  const { input } = limits
  if (input.feePayer === "fee_bump" && planned.reason !== "mediator") return 0n
  const subject = subjectOfCall(planned)
  if (subject !== null && isOfLater(input.later, subject)) return 0n
  return Big.max(feesOfAttempts(limits, planned, attempts, proceedsOf) - reckonedFee(planned), 0n)
}

/** Stroops that a call which is not projected yet may take, over two attempts. */
export const feesOfCall = ({ exits: { mostResourceFee }, input: { feePayer }, mostFeePerOperation }: FeeLimits): bigint =>
  feePayer === "fee_bump" ? 0n : 2n * (mostResourceFee + mostFeePerOperation)

/** What a group sells: by its operation, or by its call what that takes. Null: it sells nothing. */
const soldIn = ({ operations, quoted, steps }: AtomicGroup): Moved | null => {
  const sale = operations.find((operation) => operation.type === "path_payment_strict_send")
  if (sale !== undefined) return sale.sendAmount === 0n ? null : { of: sale.sendAsset, units: sale.sendAmount }
  return quoted.receive === 0n ? null : steps.flatMap(({ moves }) => moves?.takes ?? []).find(({ of }) => of !== native) ?? null
}

/** Less of an asset or token arrives and is sold at the same price: what is lost against the quote, stroops. */
const saleAtRisk = (group: AtomicGroup, floor: bigint, lacking: Map<Sold, bigint>): bigint => {
  const { receive } = group.quoted
  const sold = soldIn(group)
  if (sold === null) return receive - floor
  const lacks = Big.min(lacking.get(sold.of) ?? 0n, sold.units)
  lacking.set(sold.of, (lacking.get(sold.of) ?? 0n) - lacks)
  return receive - (floor * (sold.units - lacks)) / sold.units
}

/** Stroops that sales at their floors, and payouts within their slippage, may bring less than projected. */
const proceedsAtRisk = ({ transactions }: Pick<ChargedClose, "transactions">, floorOf: ProceedsOf): bigint => {
  const lacking = new Map<Sold, bigint>()
  let risk = 0n
  for (const group of transactions.flatMap(({ groups }) => groups)) {
    risk += saleAtRisk(group, floorOf(group), lacking)
    for (const [asset, amount] of group.mayLack) {
      if (asset === native) risk += amount
      else lacking.set(asset, (lacking.get(asset) ?? 0n) + amount)
    }
  }
  return risk
}

/**
 * The least that the destination receives, stroops. It takes off the largest fee of each transaction and of one failed attempt at it, counts
 * every conversion at its agreed floor, and takes every slippage in full. Zero where the close does not reach its end.
 */
export const minReceived = (limits: FeeLimits, { received, transactions }: ChargedClose): bigint => {
  const fees = transactions.reduce((sum, planned) => sum + feesAtRisk(limits, planned, 2n, agreedFloor), 0n)
  return Big.max(received - fees - proceedsAtRisk({ transactions }, agreedFloor), 0n)
}

/** What the rest of a close brings, stroops, after the largest fees of what is still to come. */
export interface LumensAhead {
  /** At the quotes of now, slippage not taken off. */
  readonly current: bigint
  /** At the floors that are written, with every slippage in full. */
  readonly guaranteed: bigint
}

/** Attempts that are kept fees for: one of the next transaction, so that a failed one does not count again, and two of each later one. */
const attemptsAt = (at: number): bigint => (at === 0 ? 1n : 2n)

/** What the rest of a close brings, for an amount that was accepted. */
export const lumensAhead = (limits: FeeLimits, { received, transactions }: ChargedClose): LumensAhead => {
  const lessFees = (proceedsOf: ProceedsOf) =>
    received - transactions.reduce((sum, planned, at) => sum + feesAtRisk(limits, planned, attemptsAt(at), proceedsOf), 0n)
  return { current: lessFees(quotedProceeds), guaranteed: lessFees(writtenFloor) - proceedsAtRisk({ transactions }, writtenFloor) }
}

/** Whether the last transaction of a projection merges the account. */
export const isPlayedToItsEnd = ({ merges, transactions }: EndedClose): boolean => {
  const last = transactions.at(-1)
  return merges && last !== undefined && succeeded(last.applied.result)
}

/** Whether it is not known yet what a close brings: a position has to be left first, or something blocks. */
export const isUncertain = (projected: EndedClose & Pick<Projection, "blockers" | "open">): boolean =>
  !isPlayedToItsEnd(projected) && (projected.open || projected.blockers.length > 0)

/** What the rest of a close brings; null where the projection does not reach the merge. */
const aheadOf = (limits: FeeLimits, projected: EndedClose): LumensAhead | null =>
  isPlayedToItsEnd(projected) ? lumensAhead(limits, projected) : null

/** The refusal of a close that brings less than was accepted; null where it does not, or it is not known yet what it brings. */
export const belowAccepted = (situation: AcceptRequest, projected: EndedClose): BelowAcceptedMinimum | null => {
  const { accept } = situation.input
  if (accept === null) return null
  const ahead = aheadOf(situation, projected)
  if (ahead === null || ahead.current >= accept.minReceivedLumens) return null
  return new BelowAcceptedMinimum({ accepted: accept.minReceivedLumens, current: stroops(Big.max(ahead.current, 0n)) })
}

/**
 * The refusal of an exit after which the accepted amount may be out of reach: payouts may lack so much that not even what is written guarantees
 * it. An exit cannot be taken back. Null where it is guaranteed, or the next transaction leaves no position.
 */
export const notGuaranteed = (situation: AcceptRequest, projected: EndedClose): BelowAcceptedMinimum | null => {
  const { accept } = situation.input
  const [first] = projected.transactions
  if (accept === null || first?.isContract !== true || first.groups.every(({ mayLack }) => mayLack.size === 0)) return null
  const ahead = aheadOf(situation, projected)
  if (ahead === null || ahead.guaranteed >= accept.minReceivedLumens) return null
  return new BelowAcceptedMinimum({ accepted: accept.minReceivedLumens, current: stroops(Big.max(ahead.guaranteed, 0n)) })
}

/**
 * Slippages to try, basis points, so that floors guarantee the accepted amount: as much of the request's as the quotes leave room for, and less.
 * None where the floors guarantee it, or the quotes themselves are below it.
 */
export const tighterSlippages = (situation: AcceptRequest, projected: EndedClose): ReadonlyArray<number> => {
  const { accept } = situation.input
  if (accept === null) return []
  const ahead = aheadOf(situation, projected)
  if (ahead === null) return []
  const [room, slack] = [ahead.current - accept.minReceivedLumens, ahead.current - ahead.guaranteed]
  if (room < 0n || slack <= room) return []
  const bps = Number((BigInt(slippageOf(situation.input)) * room) / slack)
  return [...new Set([bps, Math.floor(bps / 2), 0])]
}

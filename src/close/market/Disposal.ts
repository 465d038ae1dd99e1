import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, type Stroops, stroops } from "../../domain/Amount.ts"
import { issued, native } from "../../domain/Asset.ts"
import type { Decision, DecisionPoint } from "../../domain/Decision.ts"
import { baseAccount, type DestinationAddress } from "../../domain/DestinationAddress.ts"
import { ConversionFloorMissing, PlanChanged, QuoteDrifted, TransferDestinationUnusable } from "../../domain/failure/Planning.ts"
import { parseTotal } from "../../domain/Total.ts"
import { lazily } from "../../fibers/Lazily.ts"
import type { Operation } from "../../operations/Operations.ts"
import { acknowledgement } from "../situation/Acknowledgement.ts"
import type { AnswerFailure } from "../situation/AnswerFailure.ts"
import { slippageOf } from "../situation/CloseInput.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { HeldTrustline } from "../situation/Holdings.ts"
import type { Moves } from "../situation/Moved.ts"
import type { Situation } from "../situation/Situation.ts"
import { spokenAmount, spokenLumens } from "../situation/SpokenAmount.ts"
import { noPrice, type TokenPrice } from "../situation/TokenWork.ts"
import type { Workbench } from "../situation/Workbench.ts"
import { agreedRoute } from "./AgreedMarket.ts"
import { bestQuote, conversion, type ConversionQuote, paidAlong } from "./Conversion.ts"
import { type DisposalCase, disposalOptions, throughContracts } from "./DisposalOptions.ts"
import { floorOf, floorShare } from "./Floors.ts"
import { priceImpactOf, proceedsOf } from "./PriceImpact.ts"
import { agreedFloor, unacceptedImpact } from "./SaleAnswer.ts"
import { isSearched } from "./SearchedAmounts.ts"
import { transferProblems } from "./TransferProblems.ts"

/** How a balance leaves its trustline: one operation, or the failure of its answer. */
export interface Disposal {
  readonly operation: Operation
  readonly title: string
  readonly moves: Moves
  readonly points: ReadonlyArray<DecisionPoint>
  readonly failure: AnswerFailure | null
  readonly paysOthers: boolean
  readonly quoted: TokenPrice
  /** The workbench after the operation, where it was tried; null: it was not. */
  readonly after: Workbench | null
}

const plainDisposal = { points: [], failure: null, paysOthers: false, quoted: noPrice, after: null }

const returnOperation = ({ amount, asset, source }: DisposalCase): Pick<Disposal, "operation" | "title" | "moves" | "paysOthers"> => ({
  operation: { type: "payment", source, asset, amount, destination: issued(asset)?.issuer ?? source },
  title: `Return ${spokenAmount({ of: asset, units: amount })} to its issuer`,
  moves: { pays: [], takes: [{ of: asset, units: amount }] },
  paysOthers: true
})

/** `agreed`: the least it was agreed to bring; what it must bring now, `destMin`, may be more. */
const conversionOperation = (
  of: DisposalCase,
  quote: ConversionQuote,
  destMin: Stroops,
  agreed: bigint = destMin
): Pick<Disposal, "operation" | "title" | "moves" | "quoted" | "after"> => ({
  operation: conversion(of, quote.path, destMin),
  title: `Sell ${spokenAmount({ of: of.asset, units: of.amount })} for at least ${spokenLumens(destMin)}`,
  moves: { pays: [{ of: native, units: quote.receive }], takes: [{ of: of.asset, units: of.amount }] },
  quoted: { receive: quote.receive, floor: agreed, least: destMin },
  // It was tried for a single stroop at least, and what it must bring is no more than it brought.
  after: quote.after
})

/** Without an answer nothing is decided; the projection then assumes the way that keeps the most. */
const assumedDisposal = (of: DisposalCase): Disposal => {
  const floor = of.quote === null ? 0n : floorOf(of.quote.receive, slippageOf(of.situation.input))
  const way = of.quote === null ? returnOperation(of) : conversionOperation(of, of.quote, stroops(Big.max(floor, 1n)))
  return { ...plainDisposal, ...way, title: `Undecided, planned as if: ${way.title.charAt(0).toLowerCase()}${way.title.slice(1)}` }
}

const amountFailure = (amount: bigint, answer: Decision): PlanChanged | null => {
  const most = parseTotal(answer.params?.maxAmount ?? "")
  if (most !== null && amount <= most) return null
  const agreed = most === null ? {} : { agreed: showAmount(most) }
  return new PlanChanged({ planHash: null, changes: [{ kind: "amount", subject: answer.id, ...agreed, current: showAmount(amount) }] })
}

/** An agreed sale without a quote stands in a projection at its agreed price. It is never handed over like that. */
const agreedDisposal = (of: DisposalCase, least: Stroops): Disposal => {
  const quote = bestQuote(of.bench, of, [agreedRoute])
  return quote === null ? assumedDisposal(of) : { ...plainDisposal, ...conversionOperation(of, quote, quote.receive, least) }
}

const convertedDisposal = (of: DisposalCase, answer: Decision): Disposal => {
  const least = agreedFloor(answer, (agreed) => floorShare(agreed, answer.params?.amount, of.amount))
  if (least === null) return { ...assumedDisposal(of), failure: new ConversionFloorMissing({ decisionId: answer.id }) }
  if (of.situation.market.unquoted.has(of.asset)) return agreedDisposal(of, least)
  if (of.quote === null || of.quote.receive < least || of.quote.receive === 0n) {
    const current = of.quote === null ? null : showAmount(of.quote.receive)
    return { ...assumedDisposal(of), failure: new QuoteDrifted({ decisionId: answer.id, agreed: showAmount(least), current }) }
  }
  const dearer = unacceptedImpact(answer, of.impact)
  if (dearer !== null) return { ...assumedDisposal(of), failure: dearer }
  const floor = floorOf(of.quote.receive, slippageOf(of.situation.input, answer))
  const destMin = stroops(Big.max(Big.max(floor, least), 1n))
  return { ...plainDisposal, ...conversionOperation(of, of.quote, destMin, least) }
}

/** Whether the owner must say that an address is theirs: no word makes one of an exchange's address, or of the account that is closed. */
export const needsAcknowledgement = ({ input, transferDestinations }: Situation, to: DestinationAddress): boolean => {
  const { listing = null, unverified = null } = transferDestinations.get(to) ?? {}
  return to !== input.destination && baseAccount(to) !== input.source && listing === null && unverified === null
}

const transferDisposal = (of: DisposalCase, answer: Decision): Disposal => {
  const to = answer.params?.destination ?? of.source
  const problems = transferProblems(of.situation, of.bench, { asset: of.asset, amount: of.amount, to })
  return {
    ...plainDisposal,
    points: needsAcknowledgement(of.situation, to) ? [acknowledgement(of.situation, to)] : [],
    operation: { type: "payment", source: of.source, asset: of.asset, amount: of.amount, destination: to },
    title: `Transfer ${spokenAmount({ of: of.asset, units: of.amount })} to ${to}`,
    moves: { pays: [], takes: [{ of: of.asset, units: of.amount }] },
    paysOthers: to !== of.situation.input.destination,
    // What goes to the close's own destination is not given away.
    failure: (to === of.situation.input.destination && answer.params?.maxAmount === undefined ? null : amountFailure(of.amount, answer)) ??
      (problems.length === 0 ? null : new TransferDestinationUnusable({ problems }))
  }
}

const answeredDisposal = (of: DisposalCase, answer: Decision): Disposal => {
  switch (answer.choice) {
    case "convert_to_native":
    // What arrives after the sale through contracts is sold on the books, at the same price.
    case "convert_through_contracts":
      return convertedDisposal(of, answer)
    case "return_to_issuer":
      return { ...plainDisposal, ...returnOperation(of), failure: amountFailure(of.amount, answer) }
    default:
      return transferDisposal(of, answer)
  }
}

/**
 * Whether no sale of it is known so far, and pools were searched for this amount. A build searches the books before it hands the return over
 * (`unquotedReturns`).
 */
const isUnsold = (of: DisposalCase): boolean =>
  of.quote === null && throughContracts(of).length === 0 && isSearched(of.situation, of.asset, of.amount)

/** The return that the answer about unsellable assets covers. */
const returnedUnsold = (of: DisposalCase): Disposal => ({ ...plainDisposal, ...returnOperation(of) })

/** What the asset's own answer does, or what is assumed without one. */
const ownDisposal = (of: DisposalCase, answer: Decision | undefined): Disposal =>
  answer === undefined ? assumedDisposal(of) : answeredDisposal(of, answer)

/** What happens to the balance of a trustline, by the owner's answer; with the question, and the quote as of the workbench. */
export const disposalOf = (
  situation: Situation,
  bench: Workbench,
  source: AccountAddress,
  trustline: Pick<HeldTrustline, "asset" | "balance">
): Disposal => {
  const amount = stroops(trustline.balance)
  const quote = bestQuote(bench, { source, asset: trustline.asset, amount }, situation.market.routes.get(trustline.asset) ?? [])
  const impact = lazily(() =>
    quote === null
      ? null
      : priceImpactOf(
        proceedsOf(amount, quote.receive, (part) => paidAlong(bench, { source, asset: trustline.asset, amount: stroops(part) }, quote.path))
      )
  )
  const of: DisposalCase = { situation, bench, source, asset: trustline.asset, amount, quote, impact }
  const id = DecisionId.asset(trustline.asset)
  const answer = situation.input.answers.asset(trustline.asset)
  const isReturned = situation.input.answers.coversUnsold(trustline.asset) && isUnsold(of)
  const disposal = isReturned ? returnedUnsold(of) : ownDisposal(of, answer)
  const point: DecisionPoint = {
    id,
    type: "asset",
    subject: `${showAmount(amount)} ${trustline.asset}`,
    about: { kind: "asset", asset: trustline.asset, amount: showAmount(amount) },
    options: disposalOptions(of),
    default: null,
    required: true,
    answered: isReturned || (answer !== undefined && disposal.failure === null)
  }
  return { ...disposal, points: [point, ...disposal.points] }
}

import { BigInt as Big } from "effect"
import { type Stroops, stroops } from "../../domain/Amount.ts"
import type { PlanBlocker } from "../../domain/Blocker.ts"
import type { OfferedPoint } from "../../domain/Decision.ts"
import type { Network } from "../../domain/Network.ts"
import { decisionWords, type PreflightReport } from "../../domain/PreflightReport.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { isUncertain, minReceived } from "../project/MinReceived.ts"
import type { Projection } from "../project/Projection.ts"
import { quotedWorth } from "../project/Worth.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Situation } from "../situation/Situation.ts"
import { offeredPoint } from "./OfferedPoint.ts"
import { planStatus } from "./PlanStatus.ts"

/** Operations that one answer may still add: a line, its claim, a disposal, the line's removal. */
const operationsOfAnswer = 4n

const balanceIn = (state: LedgerState, address: string): bigint => {
  const found = state.get(accountKey(address))?.data
  return found?.type === "account" ? found.account.balance : 0n
}

const blockersOf = (blockers: ReadonlyArray<PlanBlocker>): PreflightReport["blockers"] =>
  [...Map.groupBy(blockers, ({ reason }) => reason)].flatMap(([reason, [first, ...others]]) =>
    reason === undefined || first === undefined
      ? []
      : [{ reason, count: 1 + others.length, message: first.message, helpUrl: first.helpUrl ?? "" }]
  )

/** What the offered answers to open decisions would pay others, stroops. */
const paidToOthers = (open: ReadonlyArray<OfferedPoint>): bigint =>
  open.flatMap(({ options }) => options.map(({ params }) => params?.maxLumens ?? 0n)).reduce<bigint>((sum, one) => sum + one, 0n)

/** Lumens that the merge brings at least; null while a position has to be left first, or something blocks: lumens may then be missing. */
const atLeast = (
  situation: Situation,
  projected: Projection,
  open: ReadonlyArray<OfferedPoint>
): Stroops | null => {
  const { input, ledgerState, mostFeePerOperation } = situation
  const { transactions } = projected
  if (isUncertain(projected)) return null
  const left = balanceIn(transactions.at(-1)?.applied.state ?? ledgerState, input.source)
  const floor = minReceived(situation, { received: left, transactions })
  const toCome = mostFeePerOperation * (1n + operationsOfAnswer * BigInt(open.length))
  return stroops(Big.max(floor - toCome - paidToOthers(open), 0n))
}

/** What a projection without a destination says about closing the account. */
export const preflightOf = (network: Network, situation: Situation, projected: Projection): PreflightReport => {
  const { input, ledgerState, snapshot } = situation
  const worth = quotedWorth(projected.points)
  const points = projected.points.map((point) => offeredPoint(point, worth)).filter(({ id }) => id !== DecisionId.unnamedDestination)
  const open = points.filter(({ answered, required }) => required && !answered)
  const status = planStatus({ blockers: projected.blockers, points, answers: input.answers })
  return {
    address: input.source,
    network,
    ledger: snapshot.header.ledgerSeq,
    readAt: snapshot.readAt,
    mergeable: status === "ready" && !projected.open,
    status,
    blockers: blockersOf(projected.blockers.map(({ shown }) => shown)),
    decisions: [...Map.groupBy(open, ({ type }) => type)].map(([type, all]) => ({
      type,
      count: all.length,
      message: decisionWords(type, all.length)
    })),
    transactionCount: projected.open ? null : projected.transactions.length + 1,
    lumens: {
      held: stroops(balanceIn(ledgerState, input.source)),
      atLeast: atLeast(situation, projected, open)
    }
  }
}

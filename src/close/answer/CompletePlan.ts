import { stroops } from "../../domain/Amount.ts"
import { warning } from "../../domain/Blocker.ts"
import type { TransactionsResult } from "../../domain/CloseTransaction.ts"
import type { Network } from "../../domain/Network.ts"
import type { Plan } from "../../domain/Plan.ts"
import type { CompletedClose } from "../read/Completion.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { planHash } from "./PlanHash.ts"

const noLumens = stroops(0n)

const onlyHistory = warning(
  "history_only",
  "Part of this rests on the history of the ledger API alone. The merge, or what followed it, is older than the other source reaches or than was read, or could not be read completely."
)

const hashOf = (network: Network, input: CloseInput): string => planHash(network, { ...input, accept: null }, new Set(), null)

/** The plan of a close that is over: nothing is left to do. */
export const completePlan = (
  network: Network,
  input: CloseInput,
  { closed, historyOnly, latestLedger, readAt, sequence }: CompletedClose
): Plan => ({
  planHash: hashOf(network, input),
  status: "complete",
  snapshot: { ledger: latestLedger, sequence: sequence.toString(), readAt },
  steps: [],
  decisionPoints: [],
  unusedDecisions: input.given.ids,
  suggestedDecisions: [],
  blockers: [],
  warnings: historyOnly ? [onlyHistory] : [],
  estimate: {
    feeLumens: noLumens,
    freedReserveLumens: noLumens,
    receivedLumens: noLumens,
    minReceivedLumens: noLumens,
    transactionCount: 0,
    waitUntil: null
  },
  transactions: [],
  signing: [],
  projection: { status: "verified", unverified: [] },
  closed
})

/** The answer to a call for the next transaction of a close that is over. */
export const completeTransactions = (network: Network, input: CloseInput, { closed, historyOnly }: CompletedClose): TransactionsResult => ({
  planHash: hashOf(network, input),
  nextPlanHash: null,
  status: "complete",
  transactions: [],
  unusedDecisions: input.given.ids,
  ...(historyOnly ? { warnings: [onlyHistory] } : {}),
  remaining: { steps: 0, transactions: 0, requiresAnotherCall: false },
  closed
})

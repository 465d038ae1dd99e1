import { xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import { publicKeyOf } from "../AssetName.ts"
import { chargedFees } from "../network/EntryChanges.ts"
import type { TransactionFacts } from "../network/TransactionFacts.ts"
import type { AssetEvents } from "./AssetEvents.ts"
import { operationEvents } from "./OperationEvents.ts"

const { transactionEventStageAfterAllTxs, transactionEventStageBeforeAllTxs } = xdr.TransactionEventStage

/**
 * The fee, charged before any transaction of the ledger is applied, and what is given back of it after all of them.
 * Failed transactions pay it too.
 */
export const feeEvents = (
  events: AssetEvents,
  facts: TransactionFacts,
  applied: Pick<AppliedTransaction, "meta">
): Array<xdr.TransactionEvent> => {
  const payer = publicKeyOf(facts.feeSource)
  const { charged, refunded } = chargedFees(facts, applied)
  return [
    { stage: transactionEventStageBeforeAllTxs, amount: charged },
    { stage: transactionEventStageAfterAllTxs, amount: -refunded }
  ]
    .filter(({ amount }) => amount !== 0n)
    .map(({ amount, stage }) => new xdr.TransactionEvent({ stage, event: events.fee(payer, amount) }))
}

const resultsOf = ({ result }: xdr.TransactionResult): ReadonlyArray<xdr.OperationResult> => {
  switch (result.type) {
    case "txSuccess":
      return result.results
    case "txFeeBumpInnerSuccess":
      return result.innerResultPair.result.result.type === "txSuccess" ? result.innerResultPair.result.result.results : []
    default:
      return []
  }
}

/** The events of each operation; a failed transaction has none. Contract calls emit their own. */
export const eventsByOperation = (
  events: AssetEvents,
  { transaction }: TransactionFacts,
  { meta, receipt, result }: AppliedTransaction
): ReadonlyArray<ReadonlyArray<xdr.ContractEvent>> =>
  resultsOf(result).map((one, at) => {
    const operation = transaction.operations[at]
    if (receipt !== undefined) return receipt.events
    return one.type !== "opInner" || operation === undefined
      ? []
      : operationEvents(events, {
        body: operation.body,
        source: operation.sourceAccount ?? transaction.sourceAccount,
        memo: transaction.memo,
        result: one.tr,
        changes: meta.operations[at] ?? []
      })
  })

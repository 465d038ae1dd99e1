import { xdr } from "@stellar/stellar-sdk"
import type { Applied } from "../../ledger/Apply.ts"
import { publicKeyOf } from "../AssetName.ts"
import type { TransactionFacts } from "../network/TransactionFacts.ts"
import type { AssetEvents } from "./AssetEvents.ts"
import { operationEvents } from "./OperationEvents.ts"

/** The fee, charged before any transaction of the ledger is applied; failed transactions pay it too. */
export const feeEvents = (
  events: AssetEvents,
  { feeSource }: TransactionFacts,
  { feeCharged }: Pick<Applied, "feeCharged">
): Array<xdr.TransactionEvent> =>
  feeCharged === 0n
    ? []
    : [
        new xdr.TransactionEvent({
          stage: xdr.TransactionEventStage.transactionEventStageBeforeAllTxs,
          event: events.fee(publicKeyOf(feeSource), feeCharged)
        })
      ]

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

/** The events of each operation; a failed transaction has none. */
export const eventsByOperation = (
  events: AssetEvents,
  { transaction }: TransactionFacts,
  { meta, result }: Pick<Applied, "meta" | "result">
): ReadonlyArray<ReadonlyArray<xdr.ContractEvent>> =>
  resultsOf(result).map((one, at) => {
    const operation = transaction.operations[at]
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

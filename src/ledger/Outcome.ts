import { xdr } from "@stellar/stellar-sdk"
import type { AnyTransaction } from "./Transaction.ts"

/** Why a transaction runs no operation, or loses what they did. Named as its result code. */
export type TransactionFailure = Exclude<xdr.InnerTransactionResultResult["type"], "txSuccess" | "txFailed">

/** What came of the operations of a transaction. */
export type Outcome =
  | { readonly code: "txSuccess" | "txFailed"; readonly operations: Array<xdr.OperationResult> }
  | { readonly code: TransactionFailure }

/** The result of a transaction; a fee bump wraps that of the transaction inside it, which is charged nothing. */
export const resultOf = (transaction: AnyTransaction, outcome: Outcome, feeCharged: bigint): xdr.TransactionResult =>
  wrap(transaction._tag === "PlainTransaction" ? plainResult(outcome) : feeBumpResult(transaction.inner.hash, outcome), feeCharged)

/** The result of a fee bump that fails before the transaction inside it is looked at, or of a plain transaction. */
export const failureResult = (code: TransactionFailure, feeCharged: bigint): xdr.TransactionResult =>
  wrap(xdr.TransactionResultResult[code](), feeCharged)

const wrap = (result: xdr.TransactionResultResult, feeCharged: bigint): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() })

const plainResult = (outcome: Outcome): xdr.TransactionResultResult =>
  "operations" in outcome
    ? xdr.TransactionResultResult[outcome.code](outcome.operations)
    : xdr.TransactionResultResult[outcome.code]()

const feeBumpResult = (transactionHash: Uint8Array, outcome: Outcome): xdr.TransactionResultResult => {
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: "operations" in outcome
        ? xdr.InnerTransactionResultResult[outcome.code](outcome.operations)
        : xdr.InnerTransactionResultResult[outcome.code](),
      ext: xdr.InnerTransactionResultExt.v0()
    })
  })
  return outcome.code === "txSuccess"
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair)
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(pair)
}

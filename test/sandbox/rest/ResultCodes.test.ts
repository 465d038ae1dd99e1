import { assert, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { resultCodes } from "../../../src/sandbox/rest/ResultCodes.ts"

const result = (of: xdr.TransactionResultResult) =>
  new xdr.TransactionResult({ feeCharged: 100n, result: of, ext: xdr.TransactionResultExt.v0() })

const inner = (tr: xdr.OperationResultTr) => xdr.OperationResult.opInner(tr)

it("spells codes as the ledger API does", () => {
  const failed = result(
    xdr.TransactionResultResult.txFailed([
      inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeHasSubEntries())),
      inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSeqnumTooFar())),
      inner(xdr.OperationResultTr.manageSellOffer(xdr.ManageSellOfferResult.manageSellOfferNotFound())),
      inner(xdr.OperationResultTr.createPassiveSellOffer(xdr.ManageSellOfferResult.manageSellOfferLowReserve())),
      inner(xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataNameNotFound())),
      inner(xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceBadSeq())),
      inner(xdr.OperationResultTr.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())),
      inner(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess())),
      xdr.OperationResult.opNoAccount(),
      xdr.OperationResult.opTooManySubentries()
    ])
  )
  assert.deepStrictEqual(resultCodes(failed), {
    transaction: "tx_failed",
    operations: [
      "op_has_sub_entries",
      "op_seq_num_too_far",
      "op_offer_not_found",
      "op_low_reserve",
      "op_data_name_not_found",
      "op_bad_seq",
      "function_trapped",
      "op_success",
      "op_no_source_account",
      "op_too_many_subentries"
    ]
  })
  assert.deepStrictEqual(resultCodes(result(xdr.TransactionResultResult.txNoAccount())), { transaction: "tx_no_source_account" })
  assert.deepStrictEqual(resultCodes(result(xdr.TransactionResultResult.txBadMinSeqAgeOrGap())), {
    transaction: "tx_bad_minseq_age_or_gap"
  })
})

it("shows the codes inside a fee bump", () => {
  const bump = result(
    xdr.TransactionResultResult.txFeeBumpInnerFailed(
      new xdr.InnerTransactionResultPair({
        transactionHash: new Uint8Array(32),
        result: new xdr.InnerTransactionResult({
          feeCharged: 0n,
          result: xdr.InnerTransactionResultResult.txFailed([xdr.OperationResult.opBadAuth()]),
          ext: xdr.InnerTransactionResultExt.v0()
        })
      })
    )
  )
  assert.deepStrictEqual(resultCodes(bump), {
    transaction: "tx_fee_bump_inner_failed",
    inner_transaction: "tx_failed",
    operations: ["op_bad_auth"]
  })
})

import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { operationResults, resultCodes, succeeded } from "../../src/close/situation/ResultCodes.ts"
import { resultCodes as ledgerApiCodes } from "../../src/sandbox/rest/ResultCodes.ts"

const resultOf = (result: xdr.TransactionResultResult) =>
  new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })

const inner = (tr: xdr.OperationResultTr) => xdr.OperationResult.opInner(tr)

const failed = (...results: ReadonlyArray<xdr.OperationResult>) => resultOf(xdr.TransactionResultResult.txFailed([...results]))

/** Failures of operations a close consists of, with the code that the ledger API shows for each. */
const known: ReadonlyArray<readonly [code: string, result: xdr.OperationResult]> = [
  ["op_bad_auth", xdr.OperationResult.opBadAuth()],
  ["op_no_source_account", xdr.OperationResult.opNoAccount()],
  ["op_no_account", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeNoAccount()))],
  ["op_immutable_set", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeImmutableSet()))],
  ["op_has_sub_entries", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeHasSubEntries()))],
  ["op_seq_num_too_far", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSeqnumTooFar()))],
  ["op_dest_full", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeDestFull()))],
  ["op_is_sponsor", inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeIsSponsor()))],
  ["op_invalid_limit", inner(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustInvalidLimit()))],
  ["op_cannot_delete", inner(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustCannotDelete()))],
  ["op_low_reserve", inner(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustLowReserve()))],
  ["op_underfunded", inner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded()))],
  ["op_src_not_authorized", inner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSrcNotAuthorized()))],
  ["op_no_destination", inner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoDestination()))],
  ["op_line_full", inner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentLineFull()))],
  [
    "op_too_few_offers",
    inner(xdr.OperationResultTr.pathPaymentStrictSend(xdr.PathPaymentStrictSendResult.pathPaymentStrictSendTooFewOffers()))
  ],
  [
    "op_cross_self",
    inner(xdr.OperationResultTr.pathPaymentStrictSend(xdr.PathPaymentStrictSendResult.pathPaymentStrictSendOfferCrossSelf()))
  ],
  [
    "op_under_dest_min",
    inner(xdr.OperationResultTr.pathPaymentStrictSend(xdr.PathPaymentStrictSendResult.pathPaymentStrictSendUnderDestmin()))
  ],
  ["op_offer_not_found", inner(xdr.OperationResultTr.manageSellOffer(xdr.ManageSellOfferResult.manageSellOfferNotFound()))],
  ["op_data_name_not_found", inner(xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataNameNotFound()))],
  [
    "op_under_minimum",
    inner(xdr.OperationResultTr.liquidityPoolWithdraw(xdr.LiquidityPoolWithdrawResult.liquidityPoolWithdrawUnderMinimum()))
  ],
  [
    "op_cannot_claim",
    inner(xdr.OperationResultTr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceCannotClaim()))
  ],
  [
    "op_does_not_exist",
    inner(xdr.OperationResultTr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceDoesNotExist()))
  ]
]

describe("result codes", () => {
  it("of operations are spelled as the ledger API spells them", () => {
    for (const [code, result] of known) {
      const whole = failed(result)
      assert.deepStrictEqual(resultCodes(whole), { resultCode: "tx_failed", operationResultCodes: [code] })
      assert.deepStrictEqual(ledgerApiCodes(whole).operations, [code])
      assert.isFalse(succeeded(whole))
    }
  })

  it("of transactions that reach no operation have none", () => {
    const cases = [
      ["tx_bad_seq", xdr.TransactionResultResult.txBadSeq()],
      ["tx_too_late", xdr.TransactionResultResult.txTooLate()],
      ["tx_bad_auth", xdr.TransactionResultResult.txBadAuth()],
      ["tx_bad_auth_extra", xdr.TransactionResultResult.txBadAuthExtra()],
      ["tx_insufficient_fee", xdr.TransactionResultResult.txInsufficientFee()],
      ["tx_insufficient_balance", xdr.TransactionResultResult.txInsufficientBalance()],
      ["tx_no_source_account", xdr.TransactionResultResult.txNoAccount()],
      ["tx_bad_minseq_age_or_gap", xdr.TransactionResultResult.txBadMinSeqAgeOrGap()]
    ] as const
    for (const [resultCode, result] of cases) {
      assert.deepStrictEqual(resultCodes(resultOf(result)), { resultCode, operationResultCodes: [] })
      assert.deepStrictEqual(operationResults(resultOf(result)), [])
      assert.isFalse(succeeded(resultOf(result)))
    }
  })

  it("of a fee bump are those of what it wraps", () => {
    const merged = inner(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(5n)))
    const pair = (result: xdr.InnerTransactionResultResult) =>
      new xdr.InnerTransactionResultPair({
        transactionHash: new Uint8Array(32),
        result: new xdr.InnerTransactionResult({ feeCharged: 0n, result, ext: xdr.InnerTransactionResultExt.v0() })
      })
    const good = resultOf(xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair(xdr.InnerTransactionResultResult.txSuccess([merged]))))
    assert.deepStrictEqual(resultCodes(good), { resultCode: "tx_success", operationResultCodes: ["op_success"] })
    assert.deepStrictEqual(operationResults(good), [merged])
    assert.isTrue(succeeded(good))
    const bad = resultOf(xdr.TransactionResultResult.txFeeBumpInnerFailed(pair(xdr.InnerTransactionResultResult.txBadSeq())))
    assert.deepStrictEqual(resultCodes(bad), { resultCode: "tx_bad_seq", operationResultCodes: [] })
    assert.isFalse(succeeded(bad))
  })

  it("of operations that went well say so, each in its place", () => {
    const whole = failed(
      inner(xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess())),
      inner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoTrust()))
    )
    assert.deepStrictEqual(resultCodes(whole).operationResultCodes, ["op_success", "op_no_trust"])
  })
})

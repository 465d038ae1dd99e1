import type { xdr } from "@stellar/stellar-sdk"

/** The outcome of a transaction in words, spelled as the ledger API spells it: `tx_success`, `op_under_dest_min`. */
export interface ResultCodes {
  readonly resultCode: string
  readonly operationResultCodes: ReadonlyArray<string>
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Where the ledger API spells a code otherwise than by its name. */
const spellings: Readonly<Record<string, string>> = {
  txNoAccount: "tx_no_source_account",
  txBadMinSeqAgeOrGap: "tx_bad_minseq_age_or_gap",
  opNoAccount: "op_no_source_account",
  accountMergeSeqnumTooFar: "op_seq_num_too_far",
  changeTrustNotAuthMaintainLiabilities: "op_not_aut_maintain_liabilities",
  manageDataNameNotFound: "op_data_name_not_found",
  manageDataInvalidName: "op_data_invalid_name",
  manageSellOfferNotFound: "op_offer_not_found",
  manageSellOfferSellNotAuthorized: "sell_not_authorized",
  manageSellOfferBuyNotAuthorized: "buy_not_authorized",
  manageSellOfferBuyNoIssuer: "buy_no_issuer",
  pathPaymentStrictReceiveOfferCrossSelf: "op_cross_self",
  pathPaymentStrictReceiveOverSendmax: "op_over_source_max",
  pathPaymentStrictSendOfferCrossSelf: "op_cross_self",
  pathPaymentStrictSendUnderDestmin: "op_under_dest_min"
}

const spelled = (name: string): string => spellings[name] ?? snake(name)

/** `liquidityPoolWithdraw` and `liquidityPoolWithdrawUnderMinimum` give `op_under_minimum`. */
const operationCode = (result: xdr.OperationResult): string => {
  if (result.type !== "opInner") return spelled(result.type)
  const code: string = result.tr.value.type
  const kind = result.tr.type
  return spellings[code] ?? `op${snake(code.startsWith(kind) ? code.slice(kind.length) : code.charAt(0).toUpperCase() + code.slice(1))}`
}

/** The outcome of a transaction: that of the inner one where a fee bump wraps one. */
const outcomeIn = ({ result }: xdr.TransactionResult): xdr.TransactionResultResult | xdr.InnerTransactionResultResult =>
  result.type === "txFeeBumpInnerSuccess" || result.type === "txFeeBumpInnerFailed" ? result.innerResultPair.result.result : result

/** The results of the operations; empty when none was reached. */
export const operationResults = (result: xdr.TransactionResult): ReadonlyArray<xdr.OperationResult> => {
  const outcome = outcomeIn(result)
  return outcome.type === "txSuccess" || outcome.type === "txFailed" ? outcome.results : []
}

/** The codes of a transaction result. */
export const resultCodes = (result: xdr.TransactionResult): ResultCodes => ({
  resultCode: spelled(outcomeIn(result).type),
  operationResultCodes: operationResults(result).map(operationCode)
})

/** Stroops that a merge moved; null where the result is not that of a merge that was applied. */
export const mergedStroops = (result: xdr.OperationResult | undefined): bigint | null =>
  result?.type === "opInner" && result.tr.type === "accountMerge" && result.tr.accountMergeResult.type === "accountMergeSuccess"
    ? result.tr.accountMergeResult.sourceAccountBalance
    : null

/** Whether every operation was applied. */
export const succeeded = ({ result }: xdr.TransactionResult): boolean =>
  result.type === "txSuccess" || result.type === "txFeeBumpInnerSuccess"

import type { xdr } from "@stellar/stellar-sdk"

/** Where this API spells a code otherwise than by its name. */
const spellings: Readonly<Record<string, string>> = {
  txNoAccount: "tx_no_source_account",
  txBadMinSeqAgeOrGap: "tx_bad_minseq_age_or_gap",
  opNoAccount: "op_no_source_account",
  createAccountAlreadyExist: "op_already_exists",
  pathPaymentStrictReceiveOfferCrossSelf: "op_cross_self",
  pathPaymentStrictReceiveOverSendmax: "op_over_source_max",
  pathPaymentStrictSendOfferCrossSelf: "op_cross_self",
  pathPaymentStrictSendUnderDestmin: "op_under_dest_min",
  manageBuyOfferSellNotAuthorized: "sell_not_authorized",
  manageBuyOfferBuyNotAuthorized: "buy_not_authorized",
  manageBuyOfferBuyNoIssuer: "buy_no_issuer",
  manageBuyOfferNotFound: "op_offer_not_found",
  manageSellOfferSellNotAuthorized: "sell_not_authorized",
  manageSellOfferBuyNotAuthorized: "buy_not_authorized",
  manageSellOfferBuyNoIssuer: "buy_no_issuer",
  manageSellOfferNotFound: "op_offer_not_found",
  changeTrustNotAuthMaintainLiabilities: "op_not_aut_maintain_liabilities",
  allowTrustNoTrustLine: "op_no_trust",
  allowTrustTrustNotRequired: "op_not_required",
  accountMergeSeqnumTooFar: "op_seq_num_too_far",
  manageDataNameNotFound: "op_data_name_not_found",
  manageDataInvalidName: "op_data_invalid_name",
  clawbackClaimableBalanceNotIssuer: "op_no_issuer",
  setTrustLineFlagsNoTrustLine: "op_no_trust",
  invokeHostFunctionTrapped: "function_trapped",
  invokeHostFunctionResourceLimitExceeded: "resource_limit_exceeded",
  invokeHostFunctionEntryArchived: "entry_archived",
  invokeHostFunctionInsufficientRefundableFee: "insufficient_refundable_fee",
  extendFootprintTtlResourceLimitExceeded: "resource_limit_exceeded",
  extendFootprintTtlInsufficientRefundableFee: "insufficient_refundable_fee",
  restoreFootprintResourceLimitExceeded: "resource_limit_exceeded",
  restoreFootprintInsufficientRefundableFee: "insufficient_refundable_fee"
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Operation results are named after their operation, except where another operation's results are borrowed. */
const withoutOperation = (operation: string, code: string): string => `op${code.slice(ownerOf(operation, code).length)}`

const ownerOf = (operation: string, code: string): string => {
  if (code.startsWith(operation)) return operation
  return operation === "createPassiveSellOffer" ? "manageSellOffer" : ""
}

const operationCode = (result: xdr.OperationResult): string => {
  if (result.type !== "opInner") return spellings[result.type] ?? snake(result.type)
  const code: string = result.tr.value.type
  return spellings[code] ?? snake(withoutOperation(result.tr.type, code))
}

const transactionCode = (type: string): string => spellings[type] ?? snake(type)

/** The codes of a result as a refused submission lists them. */
export const resultCodes = ({ result }: xdr.TransactionResult) => {
  switch (result.type) {
    case "txFeeBumpInnerSuccess":
    case "txFeeBumpInnerFailed": {
      const inner = result.innerResultPair.result.result
      return {
        transaction: transactionCode(result.type),
        inner_transaction: transactionCode(inner.type),
        ...(inner.type === "txSuccess" || inner.type === "txFailed" ? { operations: inner.results.map(operationCode) } : {})
      }
    }
    case "txSuccess":
    case "txFailed":
      return { transaction: transactionCode(result.type), operations: result.results.map(operationCode) }
    default:
      return { transaction: transactionCode(result.type) }
  }
}

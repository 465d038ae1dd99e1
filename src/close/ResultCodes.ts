import type { xdr } from "@stellar/stellar-sdk"

/** The outcome of a transaction in words: `tx_success`, `op_under_destmin`. */
export interface ResultCodes {
  readonly resultCode: string
  readonly operationResultCodes: ReadonlyArray<string>
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `pathPaymentStrictSend` and `pathPaymentStrictSendUnderDestmin` give `op_under_destmin`. */
const operationCode = (result: xdr.OperationResult): string => {
  if (result.type !== "opInner") return snake(result.type)
  const code = result.tr.value.type
  const kind = result.tr.type
  const own = code.startsWith(kind) ? code.slice(kind.length) : code
  return `op${snake(own.charAt(0).toUpperCase() + own.slice(1))}`
}

/** The codes of a transaction result; those of the inner transaction where a fee bump wraps one. */
export const resultCodes = ({ result }: xdr.TransactionResult): ResultCodes => {
  switch (result.type) {
    case "txFeeBumpInnerSuccess":
    case "txFeeBumpInnerFailed": {
      const inner = result.innerResultPair.result.result
      const operations = inner.type === "txSuccess" || inner.type === "txFailed" ? inner.results : []
      return { resultCode: snake(inner.type), operationResultCodes: operations.map(operationCode) }
    }
    case "txSuccess":
    case "txFailed":
      return { resultCode: snake(result.type), operationResultCodes: result.results.map(operationCode) }
    default:
      return { resultCode: snake(result.type), operationResultCodes: [] }
  }
}

/** The results of the operations, the inner transaction's where a fee bump wraps one; empty when none was reached. */
export const operationResults = ({ result }: xdr.TransactionResult): ReadonlyArray<xdr.OperationResult> => {
  switch (result.type) {
    case "txFeeBumpInnerSuccess":
    case "txFeeBumpInnerFailed": {
      const inner = result.innerResultPair.result.result
      return inner.type === "txSuccess" || inner.type === "txFailed" ? inner.results : []
    }
    case "txSuccess":
    case "txFailed":
      return result.results
    default:
      return []
  }
}

/** Whether every operation was applied. */
export const succeeded = ({ result }: xdr.TransactionResult): boolean =>
  result.type === "txSuccess" || result.type === "txFeeBumpInnerSuccess"

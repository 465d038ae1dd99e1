import type * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import { breachesOf } from "../operations/Admissions.ts"
import { type AnyOperation, decodeAll } from "../operations/ContractOperations.ts"
import { Decided } from "../operations/Decided.ts"
import type { Expected } from "../operations/Expected.ts"
import * as Classic from "../operations/Operations.ts"
import { RestoreFootprint } from "../operations/RestoreFootprint.ts"
import type { Violation } from "../operations/Violation.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"

/**
 * The fields of the operations of a transaction; null in the place of one that a close never has, or has in another form: what is made of
 * the fields again must be the operation itself, byte for byte, so that nothing of it is left unread.
 */
export const readOperations = (tx: xdr.Transaction, source: AccountAddress): ReadonlyArray<AnyOperation | null> => {
  const fields = decodedOf(tx, source)
  return tx.operations.map((operation, index) => {
    const one = fields[index] ?? null
    return one !== null && isWhole(one, operation) ? one : null
  })
}

/** A name that no asset can have stops the decoder: then nothing of the transaction is admitted. */
const decodedOf = (tx: xdr.Transaction, source: AccountAddress): ReadonlyArray<AnyOperation | null> => {
  try {
    return decodeAll(tx, source)
  } catch {
    return []
  }
}

const isWhole = (one: AnyOperation, operation: xdr.Operation): boolean => {
  switch (one.type) {
    // Its admission reads the call and the authorisation themselves.
    case "invoke_contract":
      return operation.sourceAccount !== null
    case "restore_footprint":
      return xdrBase64(RestoreFootprint.build(one.source)) === xdrBase64(operation)
    default:
      return xdrBase64(Classic.build(one)) === xdrBase64(operation)
  }
}

/** Why the operations of a transaction are not what the caller wants. */
export const operationViolations = (tx: xdr.Transaction, expected: Expected, source: AccountAddress): ReadonlyArray<Violation> => {
  const operations = readOperations(tx, source)
  const decided = new Decided(expected)
  const fee = BigInt(tx.fee)
  if (operations.length === 0) return [{ rule: "unknown_operation", operation: null, message: "The transaction does nothing." }]
  return tx.operations.flatMap(({ body }, index): ReadonlyArray<Violation> => {
    const one = operations[index] ?? null
    if (one === null) {
      return [{ rule: "unknown_operation", operation: index, message: `A close never has such an operation (${body.type}).` }]
    }
    return breachesOf(one, { expected, decided, operations, index, body, fee }).map((found) => ({ ...found, operation: index }))
  })
}

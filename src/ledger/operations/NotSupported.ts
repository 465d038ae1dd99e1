import { xdr } from "@stellar/stellar-sdk"
import { defineOperation, type Operation, type OperationKind } from "../Operation.ts"

/** An operation the ledger knows and does not take: inflation, since protocol 12. */
export const notSupported = (kind: OperationKind): Operation =>
  defineOperation(kind, {
    threshold: "low",
    isSupported: () => false,
    check: () => xdr.OperationResult.opNotSupported(),
    apply: () => xdr.OperationResult.opNotSupported()
  })

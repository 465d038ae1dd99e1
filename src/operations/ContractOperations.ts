import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import { fromMuxed } from "../stellar/Names.ts"
import { InvokeContract } from "./InvokeContract.ts"
import type { OperationOf } from "./OperationDefinition.ts"
import type { Operation } from "./Operations.ts"
import * as Classic from "./Operations.ts"
import { RestoreFootprint } from "./RestoreFootprint.ts"

/** An operation that stands alone in its transaction, with a footprint and resources beside it. */
export type ContractOperation = OperationOf<"invoke_contract" | "restore_footprint">

/** Anything the service may build. */
export type AnyOperation = Operation | ContractOperation

const footprintOf = ({ ext }: xdr.Transaction): ReadonlyArray<xdr.LedgerKey> =>
  ext.type === "sorobanData" ? ext.sorobanData.resources.footprint.readWrite : []

/** The fields of the operations of a transaction; null in the place of one that the service never builds. */
export const decodeAll = (tx: xdr.Transaction, source: AccountAddress): ReadonlyArray<AnyOperation | null> =>
  tx.operations.map((operation) => {
    const own = operation.sourceAccount === null ? source : fromMuxed(operation.sourceAccount)
    if (own === null) return null
    return Classic.decode(operation, source) ?? InvokeContract.decode(operation.body, own) ??
      RestoreFootprint.decode(operation.body, own, footprintOf(tx))
  })

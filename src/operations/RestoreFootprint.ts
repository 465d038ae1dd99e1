import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import { toMuxed } from "../stellar/Names.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import type { OperationOf } from "./OperationDefinition.ts"

/** RESTORE_FOOTPRINT: brings archived entries back for rent. It moves nothing; which entries stands in the transaction's footprint. */
export const RestoreFootprint = {
  type: "restore_footprint",
  level: "low",
  build: (source: AccountAddress): xdr.Operation =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() }))
    }),
  /** `footprint`: the transaction's read-write keys. */
  decode: (
    body: xdr.OperationBody,
    source: AccountAddress,
    footprint: ReadonlyArray<xdr.LedgerKey>
  ): OperationOf<"restore_footprint"> | null =>
    body.type === "restoreFootprint" ? { type: "restore_footprint", source, keys: footprint.map(xdrBase64) } : null,
  // It costs the fee and nothing else, regardless of which entries it restores.
  admits: () => []
} as const

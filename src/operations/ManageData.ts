import * as xdr from "@stellar/stellar-sdk/xdr"
import { toMuxed } from "../stellar/Names.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** MANAGE_DATA without a value: removes a data entry. The service never writes one. */
export const ManageData: OperationDefinition<"manage_data"> = {
  type: "manage_data",
  level: "med",
  build: ({ source, name }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.manageData(new xdr.ManageDataOp({ dataName: name, dataValue: null }))
    }),
  decode: (body, source) =>
    body.type === "manageData" && body.manageDataOp.dataValue === null
      ? { type: "manage_data", source, name: body.manageDataOp.dataName.toString(), value: null }
      : null,
  // It is decoded only where it removes an entry, which moves nothing and frees its reserve.
  admits: () => []
}

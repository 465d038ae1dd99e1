import * as xdr from "@stellar/stellar-sdk/xdr"
import { toMuxed } from "../stellar/Names.ts"
import { breach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** END_SPONSORING_FUTURE_RESERVES: the source is sponsored no longer. */
export const EndSponsoringFutureReserves: OperationDefinition<"end_sponsoring_future_reserves"> = {
  type: "end_sponsoring_future_reserves",
  level: "med",
  build: ({ source }) => new xdr.Operation({ sourceAccount: toMuxed(source), body: xdr.OperationBody.endSponsoringFutureReserves() }),
  decode: (body, source) => (body.type === "endSponsoringFutureReserves" ? { type: "end_sponsoring_future_reserves", source } : null),
  admits: (_, { index, operations }) =>
    operations[index - 2]?.type === "begin_sponsoring_future_reserves"
      ? []
      : breach("operation_order", "A sponsorship ends that did not begin two operations before.")
}

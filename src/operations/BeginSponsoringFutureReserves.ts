import { StrKey, xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "../domain/Address.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { toMuxed } from "../stellar/MuxedAccounts.ts"

/** BEGIN_SPONSORING_FUTURE_RESERVES: the source takes over what the sponsored account would pay, until the matching END. */
export const BeginSponsoringFutureReserves: OperationDefinition<"begin_sponsoring_future_reserves"> = {
  type: "begin_sponsoring_future_reserves",
  level: "med",
  build: ({ source, sponsored }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.beginSponsoringFutureReserves(
        new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(sponsored)) })
      )
    }),
  decode: (body, source) =>
    body.type === "beginSponsoringFutureReserves"
      ? {
        type: "begin_sponsoring_future_reserves",
        source,
        sponsored: AccountAddress.make(StrKey.encodeEd25519PublicKey(body.beginSponsoringFutureReservesOp.sponsoredId.ed25519.value))
      }
      : null,
  describe: ({ source, sponsored }) => `${source} begins to sponsor ${sponsored}`
}

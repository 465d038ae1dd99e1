import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { assetOfCode, isValidAsset } from "../Asset.ts"
import { authorizationFlags, isAuthorized, TrustlineFlag } from "../entries/Trustline.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { changeFlags, type FlagFailure } from "./TrustFlags.ts"

const result = (code: xdr.AllowTrustResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.allowTrust(code))
const Code = xdr.AllowTrustResult

/** Sets the authorization of a trustline of an asset the source issues: the older form of set-trust-line-flags. */
export const AllowTrust = defineOperation("allowTrust", {
  threshold: "low",
  check: ({ allowTrustOp: { asset, authorize, trustor } }, { source }) =>
    authorize > TrustlineFlag.maintainLiabilities ||
      !isValidAsset(assetOfCode(source, asset)) ||
      sameAccount(trustor, source)
      ? result(Code.allowTrustMalformed())
      : undefined,
  apply: ({ allowTrustOp: { asset, authorize, trustor } }, context) => {
    const failure = changeFlags(
      {
        trustor,
        asset: assetOfCode(context.source, asset),
        revokes: (line) => line === undefined ? authorize === 0 : isAuthorized(line) && authorize === TrustlineFlag.maintainLiabilities,
        apply: (flags) => (flags & ~authorizationFlags) | authorize
      },
      context
    )
    return failure === undefined ? result(Code.allowTrustSuccess()) : failed(failure)
  },
  touchesFrozen: ({ allowTrustOp: { asset, trustor } }, { source }, frozen) => frozen.hasTrustline(trustor, assetOfCode(source, asset))
})

const failed = (failure: FlagFailure): xdr.OperationResult => {
  switch (failure) {
    case "noTrustLine":
      return result(Code.allowTrustNoTrustLine())
    case "cantRevoke":
      return result(Code.allowTrustCantRevoke())
    case "lowReserve":
      return result(Code.allowTrustLowReserve())
    case "tooManySponsoring":
      return xdr.OperationResult.opTooManySponsoring()
    case "invalidState":
      return fault("one authorization bit cannot contradict itself")
  }
}

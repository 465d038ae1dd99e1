import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { assetOfCode, isValidAsset } from "../Asset.ts"
import { authorizationFlags, isAuthorized, TrustlineFlag } from "../entries/Trustline.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { changeFlags } from "./TrustFlags.ts"

/** Sets the authorization of a trustline of an asset the source issues: the older form of set-trust-line-flags. */
export const AllowTrust = defineOperation({
  kind: "allowTrust",
  codes: xdr.AllowTrustResult,
  threshold: "low",
  check: ({ allowTrustOp: { asset, authorize, trustor } }, { source }) =>
    authorize > TrustlineFlag.maintainLiabilities ||
      !isValidAsset(assetOfCode(source, asset)) ||
      sameAccount(trustor, source)
      ? "malformed"
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
    return failure === "invalidState" ? fault("one authorization bit cannot contradict itself") : (failure ?? "success")
  },
  touchesFrozen: ({ allowTrustOp: { asset, trustor } }, { source }, frozen) => frozen.hasTrustline(trustor, assetOfCode(source, asset))
})

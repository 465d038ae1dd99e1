import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { isIssuer, isValidAsset } from "../Asset.ts"
import { authorizationFlags, TrustlineFlag } from "../entries/Trustline.ts"
import { defineOperation } from "../Operation.ts"
import { changeFlags, isContradictory, knownTrustlineFlags } from "./TrustFlags.ts"

/** Sets and clears flags of a trustline of an asset the source issues. Clawback can be cleared and never set. */
export const SetTrustLineFlags = defineOperation({
  kind: "setTrustLineFlags",
  codes: xdr.SetTrustLineFlagsResult,
  threshold: "low",
  check: ({ setTrustLineFlagsOp: { asset, clearFlags, setFlags, trustor } }, { source }) =>
    !isValidAsset(asset) ||
      !isIssuer(source, asset) ||
      sameAccount(trustor, source) ||
      (setFlags & clearFlags) !== 0 ||
      (setFlags & ~authorizationFlags) !== 0 ||
      isContradictory(setFlags) ||
      (clearFlags & ~knownTrustlineFlags) !== 0
      ? "malformed"
      : undefined,
  apply: ({ setTrustLineFlagsOp: { asset, clearFlags, setFlags, trustor } }, context) => {
    const clearsAuthorization = (clearFlags & authorizationFlags) !== 0 && (setFlags & TrustlineFlag.authorized) === 0
    const failure = changeFlags(
      {
        trustor,
        asset,
        revokes: () => clearsAuthorization,
        apply: (flags) => (flags & ~clearFlags) | setFlags
      },
      context
    )
    return failure ?? "success"
  },
  touchesFrozen: ({ setTrustLineFlagsOp: { asset, trustor } }, _, frozen) => frozen.hasTrustline(trustor, asset)
})

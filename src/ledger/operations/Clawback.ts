import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { isIssuer, isValidAsset } from "../Asset.ts"
import { isClawbackEnabled } from "../entries/Trustline.ts"
import { addUnauthorized } from "../Holding.ts"
import { loadTrustline } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"

/** Destroys an amount of an asset the source issues, on a trustline that allows it, regardless of its authorization. */
export const Clawback = defineOperation({
  kind: "clawback",
  codes: xdr.ClawbackResult,
  threshold: "medium",
  check: ({ clawbackOp: { amount, asset, from } }, { source }) => {
    const fromSelf = from.type === "keyTypeEd25519" && sameAccount(accountOf(from), source)
    return fromSelf || amount < 1n || !isValidAsset(asset) || !isIssuer(source, asset)
      ? "malformed"
      : undefined
  },
  apply: ({ clawbackOp: { amount, asset, from } }, { draft }) => {
    const line = loadTrustline(draft, accountOf(from), asset)
    if (line === undefined) return "noTrust"
    if (!isClawbackEnabled(line.current)) return "notClawbackEnabled"
    return addUnauthorized(line, -amount) ? "success" : "underfunded"
  },
  touchesFrozen: ({ clawbackOp: { asset, from } }, _, frozen) => frozen.hasTrustline(accountOf(from), asset)
})

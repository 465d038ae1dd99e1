import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { isIssuer, isValidAsset } from "../Asset.ts"
import { isClawbackEnabled } from "../entries/Trustline.ts"
import { addUnauthorized } from "../Holding.ts"
import { loadTrustline } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"

const result = (code: xdr.ClawbackResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.clawback(code))
const Code = xdr.ClawbackResult

/** Destroys an amount of an asset the source issues, on a trustline that allows it, whatever its authorization. */
export const Clawback = defineOperation("clawback", {
  threshold: "medium",
  check: ({ clawbackOp: { amount, asset, from } }, { source }) => {
    const fromSelf = from.type === "keyTypeEd25519" && sameAccount(accountOf(from), source)
    return fromSelf || amount < 1n || !isValidAsset(asset) || !isIssuer(source, asset)
      ? result(Code.clawbackMalformed())
      : undefined
  },
  apply: ({ clawbackOp: { amount, asset, from } }, { draft }) => {
    const line = loadTrustline(draft, accountOf(from), asset)
    if (line === undefined) return result(Code.clawbackNoTrust())
    if (!isClawbackEnabled(line.current)) return result(Code.clawbackNotClawbackEnabled())
    return result(addUnauthorized(line, -amount) ? Code.clawbackSuccess() : Code.clawbackUnderfunded())
  },
  touchesFrozen: ({ clawbackOp: { asset, from } }, _, frozen) => frozen.hasTrustline(accountOf(from), asset)
})

import { xdr } from "@stellar/stellar-sdk"
import { isIssuer } from "../Asset.ts"
import { isBalanceClawbackEnabled } from "../entries/ClaimableBalance.ts"
import { loadClaimableBalance, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { releaseEntry } from "../Sponsorship.ts"

const result = (code: xdr.ClawbackClaimableBalanceResult) =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.clawbackClaimableBalance(code))
const Code = xdr.ClawbackClaimableBalanceResult

/** Destroys a claimable balance of an asset the source issues. */
export const ClawbackClaimableBalance = defineOperation("clawbackClaimableBalance", {
  threshold: "medium",
  check: () => undefined,
  apply: ({ clawbackClaimableBalanceOp: { balanceId } }, { draft, source }) => {
    const balance = loadClaimableBalance(draft, balanceId)
    if (balance === undefined) return result(Code.clawbackClaimableBalanceDoesNotExist())
    if (!isIssuer(source, balance.current.asset)) return result(Code.clawbackClaimableBalanceNotIssuer())
    if (!isBalanceClawbackEnabled(balance.current)) return result(Code.clawbackClaimableBalanceNotClawbackEnabled())
    requireAccount(draft, source)
    releaseEntry(draft, balance.entry, source)
    balance.erase()
    return result(Code.clawbackClaimableBalanceSuccess())
  }
})

import { xdr } from "@stellar/stellar-sdk"
import { isIssuer } from "../Asset.ts"
import { isBalanceClawbackEnabled } from "../entries/ClaimableBalance.ts"
import { loadClaimableBalance, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { releaseEntry } from "../Sponsorship.ts"

/** Destroys a claimable balance of an asset the source issues. */
export const ClawbackClaimableBalance = defineOperation({
  kind: "clawbackClaimableBalance",
  codes: xdr.ClawbackClaimableBalanceResult,
  threshold: "medium",
  check: () => undefined,
  apply: ({ clawbackClaimableBalanceOp: { balanceId } }, { draft, source }) => {
    const balance = loadClaimableBalance(draft, balanceId)
    if (balance === undefined) return "doesNotExist"
    if (!isIssuer(source, balance.current.asset)) return "notIssuer"
    if (!isBalanceClawbackEnabled(balance.current)) return "notClawbackEnabled"
    requireAccount(draft, source)
    releaseEntry(draft, balance.entry, source)
    balance.erase()
    return "success"
  }
})

import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { holds } from "../entries/ClaimPredicate.ts"
import { loadHolding } from "../Holding.ts"
import { loadClaimableBalance, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { releaseEntry } from "../Sponsorship.ts"

/** Takes the whole of a claimable balance. Its predicate is judged by the close time of the applying ledger. */
export const ClaimClaimableBalance = defineOperation({
  kind: "claimClaimableBalance",
  codes: xdr.ClaimClaimableBalanceResult,
  threshold: "low",
  check: () => undefined,
  apply: ({ claimClaimableBalanceOp: { balanceId } }, { draft, frozen, header, source }) => {
    const balance = loadClaimableBalance(draft, balanceId)
    if (balance === undefined) return "doesNotExist"
    const { amount, asset, claimants } = balance.current
    const claimant = claimants.find(({ v0 }) => sameAccount(v0.destination, source))
    if (claimant === undefined || !holds(claimant.v0.predicate, header.closeTime)) {
      return "cannotClaim"
    }
    if (frozen.hasHolding(source, asset)) return "trustlineFrozen"

    const holding = loadHolding(draft, source, asset)
    if (holding === undefined) return "noTrust"
    if (!holding.authorized) return "notAuthorized"
    if (!holding.add(amount)) return "lineFull"
    requireAccount(draft, source)
    releaseEntry(draft, balance.entry, source)
    balance.erase()
    return "success"
  }
})

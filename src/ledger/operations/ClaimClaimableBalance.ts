import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { holds } from "../entries/ClaimPredicate.ts"
import { loadHolding } from "../Holding.ts"
import { loadClaimableBalance, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { releaseEntry } from "../Sponsorship.ts"

const result = (code: xdr.ClaimClaimableBalanceResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.claimClaimableBalance(code))
const Code = xdr.ClaimClaimableBalanceResult

/** Takes the whole of a claimable balance. Its predicate is judged by the close time of the applying ledger. */
export const ClaimClaimableBalance = defineOperation("claimClaimableBalance", {
  threshold: "low",
  check: () => undefined,
  apply: ({ claimClaimableBalanceOp: { balanceId } }, { draft, frozen, header, source }) => {
    const balance = loadClaimableBalance(draft, balanceId)
    if (balance === undefined) return result(Code.claimClaimableBalanceDoesNotExist())
    const { amount, asset, claimants } = balance.current
    const claimant = claimants.find(({ v0 }) => sameAccount(v0.destination, source))
    if (claimant === undefined || !holds(claimant.v0.predicate, header.closeTime)) {
      return result(Code.claimClaimableBalanceCannotClaim())
    }
    if (frozen.hasHolding(source, asset)) return result(Code.claimClaimableBalanceTrustlineFrozen())

    const holding = loadHolding(draft, source, asset)
    if (holding === undefined) return result(Code.claimClaimableBalanceNoTrust())
    if (!holding.authorized) return result(Code.claimClaimableBalanceNotAuthorized())
    if (!holding.add(amount)) return result(Code.claimClaimableBalanceLineFull())
    requireAccount(draft, source)
    releaseEntry(draft, balance.entry, source)
    balance.erase()
    return result(Code.claimClaimableBalanceSuccess())
  }
})

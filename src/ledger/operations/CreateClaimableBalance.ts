import { xdr } from "@stellar/stellar-sdk"
import { isWellFormedPredicate } from "../../xdr/WellFormedPredicate.ts"
import { bytesId } from "../AccountId.ts"
import { isIssuer, isValidAsset } from "../Asset.ts"
import { AccountFlag, hasFlag } from "../entries/Account.ts"
import { createdBalanceId, newClaimableBalance } from "../entries/ClaimableBalance.ts"
import { resolvedPredicate } from "../entries/ClaimPredicate.ts"
import { loadHolding } from "../Holding.ts"
import { requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { admitEntry } from "../Sponsorship.ts"

/**
 * Sets an amount apart for claimants to claim. Its reserve, one unit a claimant, is always sponsored: by the source
 * if by no one else.
 */
export const CreateClaimableBalance = defineOperation({
  kind: "createClaimableBalance",
  codes: xdr.CreateClaimableBalanceResult,
  threshold: "medium",
  check: ({ createClaimableBalanceOp: { amount, asset, claimants } }) => {
    const destinations = new Set(claimants.map(({ v0 }) => bytesId(v0.destination.ed25519.value)))
    const isWellFormed = isValidAsset(asset) &&
      amount > 0n &&
      claimants.length > 0 &&
      destinations.size === claimants.length &&
      claimants.every(({ v0 }) => isWellFormedPredicate(v0.predicate))
    return isWellFormed ? undefined : "malformed"
  },
  apply: ({ createClaimableBalanceOp: { amount, asset, claimants } }, context) => {
    const { draft, header, source } = context
    const account = requireAccount(draft, source)
    const holding = loadHolding(draft, source, asset)
    if (holding === undefined) return "noTrust"
    if (!holding.authorized) return "notAuthorized"
    if (holding.available() < amount || !holding.add(-amount)) return "underfunded"

    const balanceId = createdBalanceId(context)
    const clawbackEnabled = isIssuer(source, asset)
      ? hasFlag(account.current, AccountFlag.clawbackEnabled)
      : holding.clawbackEnabled
    const balance = newClaimableBalance({
      balanceId,
      claimants: claimants.map((claimant) => resolvedClaimant(claimant, header.closeTime)),
      asset,
      amount,
      clawbackEnabled
    })
    const entry = admitEntry(draft, balance, source)
    if (typeof entry === "string") return entry
    draft.put(entry)
    return xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(balanceId)
  },
  touchesFrozen: ({ createClaimableBalanceOp: { asset } }, { source }, frozen) => frozen.hasTrustline(source, asset)
})

const resolvedClaimant = ({ v0 }: xdr.Claimant, closeTime: bigint): xdr.Claimant =>
  xdr.Claimant.claimantTypeV0(
    new xdr.ClaimantV0({ destination: v0.destination, predicate: resolvedPredicate(v0.predicate, closeTime) })
  )

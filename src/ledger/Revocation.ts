import { xdr } from "@stellar/stellar-sdk"
import { isIssuer, isNative, sameAsset } from "./Asset.ts"
import type { Draft } from "./Draft.ts"
import { newClaimableBalance, type OperationPlace, revokedBalanceId } from "./entries/ClaimableBalance.ts"
import { entrySponsor, withSponsor } from "./entries/LedgerEntry.ts"
import { isClawbackEnabled } from "./entries/Trustline.ts"
import { eraseOffer, releaseLiabilities } from "./exchange/Offer.ts"
import { withdrawalAmount, withReserves } from "./exchange/Pool.ts"
import { compareBytes } from "./Int64.ts"
import { fault } from "./LedgerFault.ts"
import { loadOffer, loadPool, loadPoolShare, loadTrustline, peekPool, requireAccount } from "./Loaded.ts"
import { releasePoolUse } from "./PoolShares.ts"
import { reserveUnits } from "./Reserves.ts"
import { addSponsoring, admitEntry, releaseEntry, type ReserveFailure } from "./Sponsorship.ts"

/**
 * Takes back what a holder may no longer keep of an asset: its offers for it, and its shares of pools of it, which
 * become claimable balances of the holder. The account that paid for the share line pays for the balances, so that no new
 * reserve is needed, unless that account's own future reserves are being sponsored.
 */
export const pullHoldings = (
  draft: Draft,
  holder: xdr.PublicKey,
  asset: xdr.Asset,
  place: OperationPlace
): ReserveFailure | undefined => {
  const { offers, shares } = holdingsConcerning(draft, holder, asset)
  for (const { offerId, sellerId } of offers) {
    const offer = loadOffer(draft, sellerId, offerId) ?? fault("an offer is missing")
    releaseLiabilities(draft, offer.current)
    eraseOffer(draft, offer)
  }
  for (const poolId of shares.toSorted((left, right) => compareBytes(left.value, right.value))) {
    const refusal = redeemShares(draft, holder, poolId, place)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Offers of a holder for an asset, and pools of it that the holder has shares of. */
const holdingsConcerning = (draft: Draft, holder: xdr.PublicKey, asset: xdr.Asset) => {
  const offers: Array<xdr.OfferEntry> = []
  const shares: Array<xdr.PoolId> = []
  for (const id of draft.holdingsOf(holder)) {
    const data = draft.peek(id)?.data
    if (data?.type === "offer" && concerns(data.offer, asset)) offers.push(data.offer)
    if (data?.type === "trustline" && data.trustLine.asset.type === "assetTypePoolShare") {
      if (isPoolOf(draft, data.trustLine.asset.liquidityPoolId, asset)) shares.push(data.trustLine.asset.liquidityPoolId)
    }
  }
  return { offers, shares }
}

const concerns = ({ buying, selling }: xdr.OfferEntry, asset: xdr.Asset): boolean => sameAsset(buying, asset) || sameAsset(selling, asset)

const isPoolOf = (draft: Draft, poolId: xdr.PoolId, asset: xdr.Asset): boolean => {
  const pool = peekPool(draft, poolId) ?? fault("the pool is missing")
  const { assetA, assetB } = pool.current.body.constantProduct.params
  return sameAsset(assetA, asset) || sameAsset(assetB, asset)
}

const redeemShares = (draft: Draft, holder: xdr.PublicKey, poolId: xdr.PoolId, place: OperationPlace): ReserveFailure | undefined => {
  const line = loadPoolShare(draft, holder, poolId) ?? fault("the pool-share line is missing")
  const { balance } = line.current
  const payer = entrySponsor(line.entry) ?? holder
  releaseEntry(draft, line.entry, holder)
  line.erase()

  const pool = loadPool(draft, poolId) ?? fault("the pool is missing")
  const { params, reserveA, reserveB, totalPoolShares } = pool.current.body.constantProduct
  if (balance > 0n) {
    const amountA = withdrawalAmount(balance, totalPoolShares, reserveA)
    const amountB = withdrawalAmount(balance, totalPoolShares, reserveB)
    const redemption: Redemption = { holder, payer, poolId, place }
    const refusal = redeemAsset(draft, redemption, params.assetA, amountA) ?? redeemAsset(draft, redemption, params.assetB, amountB)
    if (refusal !== undefined) return refusal
    pool.set(withReserves(pool.current, { reserveA: -amountA, reserveB: -amountB, totalPoolShares: -balance }))
  }
  releasePoolUse(draft, holder, params, poolId)
  return undefined
}

/** Whose shares of which pool become balances, and who pays their reserve. */
interface Redemption {
  readonly holder: xdr.PublicKey
  readonly payer: xdr.PublicKey
  readonly poolId: xdr.PoolId
  readonly place: OperationPlace
}

/** Nothing is made of a zero amount, or of an asset that comes back to its issuer. */
const redeemAsset = (
  draft: Draft,
  { holder, payer, place, poolId }: Redemption,
  asset: xdr.Asset,
  amount: bigint
): ReserveFailure | undefined => {
  if (amount === 0n || isIssuer(holder, asset)) return undefined
  const line = isNative(asset) ? undefined : (loadTrustline(draft, holder, asset) ?? fault("the trustline is missing"))
  const balance = newClaimableBalance({
    balanceId: revokedBalanceId(place, poolId, asset),
    claimants: [
      xdr.Claimant.claimantTypeV0(
        new xdr.ClaimantV0({ destination: holder, predicate: xdr.ClaimPredicate.claimPredicateUnconditional() })
      )
    ],
    asset,
    amount,
    clawbackEnabled: line !== undefined && isClawbackEnabled(line.current)
  })
  const account = requireAccount(draft, payer)
  if (draft.sponsorOf(payer) !== undefined) {
    const entry = admitEntry(draft, balance, payer)
    if (typeof entry === "string") return entry
    draft.put(entry)
    return undefined
  }
  addSponsoring(account, reserveUnits(balance.data))
  draft.put(withSponsor(balance, payer))
  return undefined
}

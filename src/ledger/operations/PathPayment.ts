import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { isIssuer, isValidAsset, sameAsset } from "../Asset.ts"
import { type Conversion, convert, maxOffersToCross } from "../exchange/Book.ts"
import type { Rounding } from "../exchange/Exchange.ts"
import type { OfferFilter } from "../exchange/Order.ts"
import type { FrozenKeys } from "../Frozen.ts"
import { loadHolding } from "../Holding.ts"
import { peekAccount } from "../Loaded.ts"
import type { ApplyContext, OperationContext } from "../Operation.ts"

/** Why a payment of any kind moves nothing: the part of the result codes all kinds share. */
export type PaymentFailure =
  | "underfunded"
  | "srcNoTrust"
  | "srcNotAuthorized"
  | "noDestination"
  | "noTrust"
  | "notAuthorized"
  | "lineFull"

/** Why a hop of a path fails. */
export type HopFailure = "tooFewOffers" | "offerCrossSelf" | "exceededWorkLimit"

/** The two ends of a payment. */
export interface PaymentEnds {
  readonly sendAsset: xdr.Asset
  readonly destination: xdr.MuxedAccount
  readonly destAsset: xdr.Asset
  readonly path: ReadonlyArray<xdr.Asset>
}

/** Whether the fields that need no ledger are in order. */
export const isWellFormed = ({ destAsset, path, sendAsset }: PaymentEnds, ...amounts: ReadonlyArray<bigint>): boolean =>
  amounts.every((amount) => amount > 0n) && [sendAsset, destAsset, ...path].every(isValidAsset)

/** A payment straight back to the issuer may go to an account that is gone, so that credit can always be returned. */
const isReturnToIssuer = ({ destAsset, destination, path, sendAsset }: PaymentEnds): boolean =>
  path.length === 0 && sameAsset(sendAsset, destAsset) && isIssuer(accountOf(destination), destAsset)

export const findDestination = (context: ApplyContext, ends: PaymentEnds): PaymentFailure | undefined =>
  isReturnToIssuer(ends) || peekAccount(context.draft, accountOf(ends.destination)) !== undefined ? undefined : "noDestination"

export const debitSource = ({ draft, source }: ApplyContext, asset: xdr.Asset, amount: bigint): PaymentFailure | undefined => {
  const holding = loadHolding(draft, source, asset)
  if (holding === undefined) return "srcNoTrust"
  if (!holding.authorized) return "srcNotAuthorized"
  return amount <= holding.available() && holding.add(-amount) ? undefined : "underfunded"
}

export const creditDestination = ({ draft }: ApplyContext, ends: PaymentEnds, amount: bigint): PaymentFailure | undefined => {
  const holding = loadHolding(draft, accountOf(ends.destination), ends.destAsset)
  if (holding === undefined) return "noTrust"
  if (!holding.authorized) return "notAuthorized"
  return holding.add(amount) ? undefined : "lineFull"
}

/** One side of a hop is exact, the other is found: `strictSend` fixes `sheep`, `strictReceive` fixes `wheat`. */
export interface Hop {
  readonly sheep: xdr.Asset
  readonly maxSheep: bigint
  readonly wheat: xdr.Asset
  readonly maxWheat: bigint
  readonly rounding: Rounding
}

/** Converts along hops of a path, sharing one budget of work among them. */
export class PathWalk {
  private readonly context: ApplyContext
  private readonly filter: OfferFilter
  private workLeft = maxOffersToCross

  constructor(context: ApplyContext) {
    this.context = context
    this.filter = (offer) => {
      if (sameAccount(offer.sellerId, context.source)) return "crossSelf"
      return context.frozen.hasOffer(offer) ? "frozen" : "keep"
    }
  }

  take(hop: Hop): Conversion | HopFailure {
    const conversion = convert(this.context.draft, { ...hop, filter: this.filter }, this.workLeft)
    this.workLeft -= conversion.work
    const isExact = hop.rounding === "strictSend" ? conversion.sheepSent === hop.maxSheep : conversion.wheatReceived === hop.maxWheat
    switch (conversion.outcome) {
      case "complete":
        return isExact ? conversion : "tooFewOffers"
      case "crossSelf":
        return "offerCrossSelf"
      case "tooManyOffers":
        return "exceededWorkLimit"
      case "partial":
      case "badPrice":
        return "tooFewOffers"
    }
  }
}

/** The entry the payment ends in, as the result names it. */
export const lastPayment = (ends: PaymentEnds, amount: bigint): xdr.SimplePaymentResult =>
  new xdr.SimplePaymentResult({ destination: accountOf(ends.destination), asset: ends.destAsset, amount })

export const pathTouchesFrozen = (
  { destAsset, destination, sendAsset }: PaymentEnds,
  { source }: OperationContext,
  frozen: FrozenKeys
): boolean => frozen.hasTrustline(source, sendAsset) || frozen.hasHolding(accountOf(destination), destAsset)

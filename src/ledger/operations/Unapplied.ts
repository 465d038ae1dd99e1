import { xdr } from "@stellar/stellar-sdk"
import { fault } from "../LedgerFault.ts"
import type { OperationKind } from "../Operation.ts"

/**
 * The result slot of an operation that was never reached: the success code over a payload of zeros.
 * It stands where an earlier operation or signature sank the transaction at its check.
 */
export const unapplied = (kind: OperationKind): xdr.OperationResult => {
  const slot = kind === "createPassiveSellOffer" ? "manageSellOffer" : kind
  const bytes = new Uint8Array(12 + (payloadSizes[slot] ?? 0))
  new DataView(bytes.buffer).setInt32(4, typeNumbers[slot] ?? fault(`no number for ${slot}`))
  return xdr.OperationResult.fromXdr(bytes)
}

const typeNumbers: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      "createAccount",
      "payment",
      "pathPaymentStrictReceive",
      "manageSellOffer",
      "createPassiveSellOffer",
      "setOptions",
      "changeTrust",
      "allowTrust",
      "accountMerge",
      "inflation",
      "manageData",
      "bumpSequence",
      "manageBuyOffer",
      "pathPaymentStrictSend",
      "createClaimableBalance",
      "claimClaimableBalance",
      "beginSponsoringFutureReserves",
      "endSponsoringFutureReserves",
      "revokeSponsorship",
      "clawback",
      "clawbackClaimableBalance",
      "setTrustLineFlags",
      "liquidityPoolDeposit",
      "liquidityPoolWithdraw",
      "invokeHostFunction",
      "extendFootprintTtl",
      "restoreFootprint"
    ] satisfies ReadonlyArray<OperationKind>
  ).map((kind, number) => [kind, number])
)

const accountIdSize = 4 + 32
const nativeAssetSize = 4
const emptyListSize = 4
const offerSize = accountIdSize + 8 + 2 * nativeAssetSize + 8 + 8 + 4 + 4

/** Bytes of the zero payload behind the success code, where there is one. */
const payloadSizes: Readonly<Partial<Record<OperationKind, number>>> = {
  pathPaymentStrictReceive: emptyListSize + accountIdSize + nativeAssetSize + 8,
  pathPaymentStrictSend: emptyListSize + accountIdSize + nativeAssetSize + 8,
  manageSellOffer: emptyListSize + 4 + offerSize,
  manageBuyOffer: emptyListSize + 4 + offerSize,
  accountMerge: 8,
  inflation: emptyListSize,
  createClaimableBalance: 4 + 32,
  invokeHostFunction: 32
}

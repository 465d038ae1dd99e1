import { xdr } from "@stellar/stellar-sdk"
import { fault } from "../LedgerFault.ts"
import type { OperationKind } from "../Operation.ts"

/**
 * The result slot of an operation that was never reached: the success code over a payload of zeros.
 * It stands where an earlier operation or signature sank the transaction at its check.
 */
export const unapplied = (kind: OperationKind): xdr.OperationResult => {
  const slot = kind === "createPassiveSellOffer" ? "manageSellOffer" : kind
  const bytes = new Uint8Array(12 + (PAYLOAD[slot] ?? 0))
  new DataView(bytes.buffer).setInt32(4, NUMBER[slot] ?? fault(`no number for ${slot}`))
  return xdr.OperationResult.fromXdr(bytes)
}

const NUMBER: Readonly<Record<string, number>> = Object.fromEntries(
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

const ACCOUNT_ID = 4 + 32
const NATIVE_ASSET = 4
const NO_ITEMS = 4
const OFFER = ACCOUNT_ID + 8 + 2 * NATIVE_ASSET + 8 + 8 + 4 + 4

/** Bytes of the zero payload behind the success code, where there is one. */
const PAYLOAD: Readonly<Partial<Record<OperationKind, number>>> = {
  pathPaymentStrictReceive: NO_ITEMS + ACCOUNT_ID + NATIVE_ASSET + 8,
  pathPaymentStrictSend: NO_ITEMS + ACCOUNT_ID + NATIVE_ASSET + 8,
  manageSellOffer: NO_ITEMS + 4 + OFFER,
  manageBuyOffer: NO_ITEMS + 4 + OFFER,
  accountMerge: 8,
  inflation: NO_ITEMS,
  createClaimableBalance: 4 + 32,
  invokeHostFunction: 32
}

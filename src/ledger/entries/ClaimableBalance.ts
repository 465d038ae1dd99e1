import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { sha256 } from "../Signatures.ts"
import { newEntry } from "./LedgerEntry.ts"

const clawbackEnabledFlag = 1

/** A claimable balance about to be created. */
export const newClaimableBalance = (balance: {
  readonly balanceId: xdr.ClaimableBalanceId
  readonly claimants: Array<xdr.Claimant>
  readonly asset: xdr.Asset
  readonly amount: bigint
  readonly clawbackEnabled: boolean
}): xdr.LedgerEntry => {
  const { amount, asset, balanceId, claimants, clawbackEnabled } = balance
  const ext = clawbackEnabled
    ? xdr.ClaimableBalanceEntryExt.v1(
      new xdr.ClaimableBalanceEntryExtensionV1({
        ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(),
        flags: clawbackEnabledFlag
      })
    )
    : xdr.ClaimableBalanceEntryExt.v0()
  return newEntry(
    xdr.LedgerEntryData.claimableBalance(new xdr.ClaimableBalanceEntry({ balanceId, claimants, asset, amount, ext }))
  )
}

export const isBalanceClawbackEnabled = (balance: xdr.ClaimableBalanceEntry): boolean =>
  balance.ext.type === "v1" && (balance.ext.v1.flags & clawbackEnabledFlag) !== 0

/** Where an operation stands in a transaction: what the ids of balances it makes are derived from. */
export interface OperationPlace {
  readonly transactionSource: xdr.PublicKey
  readonly transactionSequence: bigint
  readonly index: number
}

/** Id of the balance an operation makes: a hash of the transaction's source and sequence number and its own place. */
export const createdBalanceId = (place: OperationPlace): xdr.ClaimableBalanceId =>
  idOfPreimage(
    xdr.HashIdPreimage.envelopeTypeOpId(
      new xdr.HashIdPreimageOperationId({
        sourceAccount: place.transactionSource,
        seqNum: place.transactionSequence,
        opNum: place.index
      })
    )
  )

/** Id of the balance that takes up one asset of pool shares whose holder lost its authorization. */
export const revokedBalanceId = (place: OperationPlace, liquidityPoolId: xdr.PoolId, asset: xdr.Asset): xdr.ClaimableBalanceId =>
  idOfPreimage(
    xdr.HashIdPreimage.envelopeTypePoolRevokeOpId(
      new xdr.HashIdPreimageRevokeId({
        sourceAccount: place.transactionSource,
        seqNum: place.transactionSequence,
        opNum: place.index,
        liquidityPoolId,
        asset
      })
    )
  )

const idOfPreimage = (preimage: xdr.HashIdPreimage): xdr.ClaimableBalanceId =>
  xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(sha256(xdrBytes(preimage)))

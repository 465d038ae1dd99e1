import { xdr } from "@stellar/stellar-sdk"
import { signaturesOf, signersOf } from "../../ledger/Signatures.ts"
import type { PlainTransaction } from "../../ledger/Transaction.ts"
import { requiredWeight } from "../situation/Weight.ts"
import type { MediationRequest } from "./MediationRequest.ts"

/** Whether a signature is one of the given signers' over this transaction, on this network. */
const isOf = ({ hash }: PlainTransaction, signature: xdr.DecoratedSignature, signers: ReadonlyArray<xdr.Signer>): boolean =>
  signers.some((signer) =>
    signaturesOf({ hash, signatures: [signature] }, "verify").meet([new xdr.Signer({ key: signer.key, weight: 1 })], 1)
  )

const hasSignatureType = ({ key }: xdr.Signer): boolean => key.type !== "signerKeyTypePreAuthTx"

const signersIn = (
  account: xdr.AccountEntry | null
): ReadonlyArray<xdr.Signer> => (account === null ? [] : signersOf(account).filter(hasSignatureType))

/** Whether every signature that is there is by a signer of the closing account or of the mediator, over this network's hash. */
export const allVerify = ({ mediatorAccount, source, transaction }: MediationRequest): boolean => {
  const signers = [...signersIn(source), ...signersIn(mediatorAccount)]
  return transaction.signatures.every((signature) => isOf(transaction, signature, signers))
}

/** Whether the mediator signed already. */
export const mediatorSigned = ({ mediatorAccount, transaction }: MediationRequest): boolean =>
  transaction.signatures.some((signature) => isOf(transaction, signature, signersIn(mediatorAccount)))

/** Whether the signatures that are there already let the closing account merge. */
export const closerSigned = ({ source, transaction }: MediationRequest): boolean =>
  source !== null && signaturesOf(transaction, "verify").meet(signersOf(source), requiredWeight(source, "high"))

import { xdr } from "@stellar/stellar-sdk"
import type { RegistryEntry } from "../../domain/RegistryDocument.ts"
import { applyTransaction } from "../../ledger/Apply.ts"
import { signaturesOf, signersOf } from "../../ledger/Signatures.ts"
import { type PlainTransaction, preconditionsOf } from "../../ledger/Transaction.ts"
import { sponsorshipsOf } from "../../stellar/Entries.ts"
import { isResidue } from "../situation/ResidueLimit.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import { oneSigner, severalSigners } from "../situation/Validity.ts"
import { requiredWeight } from "../situation/Weight.ts"
import { accountBehind, actorOf, carriesMemo, closerOf, mergeOf, paymentOf } from "./MediatedEnvelope.ts"
import type { MediationRequest, MediationRule } from "./MediationRequest.ts"

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
const allVerify = ({ mediatorAccount, source, transaction }: MediationRequest): boolean => {
  const signers = [...signersIn(source), ...signersIn(mediatorAccount)]
  return transaction.signatures.every((signature) => isOf(transaction, signature, signers))
}

/** Whether the mediator signed already. */
const mediatorSigned = ({ mediatorAccount, transaction }: MediationRequest): boolean =>
  transaction.signatures.some((signature) => isOf(transaction, signature, signersIn(mediatorAccount)))

/** Whether the existing signatures suffice for the closing account to merge. */
const closerSigned = ({ source, transaction }: MediationRequest): boolean =>
  source !== null && signaturesOf(transaction, "verify").meet(signersOf(source), requiredWeight(source, "high"))

const isMuxed = (account: xdr.MuxedAccount | null | undefined): boolean => account?.type === "keyTypeMuxedEd25519"

const listingIn = ({ listingOf, transaction }: MediationRequest): RegistryEntry | null => {
  const paid = paymentOf(transaction)
  return paid === null ? null : listingOf(accountBehind(paid.payment.destination))
}

const memoMatches = (request: MediationRequest): boolean => {
  const listing = listingIn(request)
  return listing !== null && carriesMemo(request.transaction.tx.memo, listing)
}

const isTimely = (request: MediationRequest): boolean => {
  const { timeBounds } = preconditionsOf(request.transaction.tx)
  const most = closerSigned(request) ? severalSigners : oneSigner
  return timeBounds !== null && timeBounds.minTime <= request.now && timeBounds.maxTime > request.now &&
    timeBounds.maxTime <= request.now + BigInt(most)
}

const isPlain = ({ transaction: { tx } }: MediationRequest): boolean => {
  const { extraSigners, minSeqAge, minSeqLedgerGap, minSeqNum } = preconditionsOf(tx)
  return minSeqNum === null && minSeqAge === 0n && minSeqLedgerGap === 0 && extraSigners.length === 0 && tx.ext.type === "v0"
}

const isBounded = ({ mostPerOperation, transaction: { tx }, ledgerState }: MediationRequest): boolean => {
  const count = BigInt(tx.operations.length)
  return BigInt(tx.fee) >= BigInt(ledgerState.header.baseFee) * count && BigInt(tx.fee) <= mostPerOperation * count
}

const isEmpty = ({ source }: MediationRequest): boolean =>
  source !== null && source.numSubEntries === source.signers.length && sponsorshipsOf(source).numSponsoring === 0

const isCovered = ({ source, transaction }: MediationRequest): boolean => {
  const paid = paymentOf(transaction)
  return source !== null && paid !== null && isResidue(source.balance - BigInt(transaction.tx.fee) - paid.payment.amount)
}

/** The ledger model with the live entries. Signatures are taken as given: the closing account may sign afterwards. */
const goesThrough = ({ envelope, passphrase, ledgerState }: MediationRequest): boolean =>
  succeeded(applyTransaction(ledgerState, envelope, { networkPassphrase: passphrase, signatures: "assume" }).result)

/** Whether the mediator itself pays for the transaction: another rule rejects that by name, with or without valid signatures. */
const isPaidByMediator = ({ mediator, transaction }: MediationRequest): boolean => closerOf(transaction) === mediator

const sourceIsClosing = ({ mediator, transaction }: MediationRequest): boolean => {
  const merge = mergeOf(transaction)
  const closer = closerOf(transaction)
  return merge !== null && actorOf(merge.operation, transaction) === closer && closer !== mediator
}

const mergesIntoMediator = ({ mediator, transaction }: MediationRequest): boolean => {
  const merge = mergeOf(transaction)
  return merge !== null && accountBehind(merge.destination) === mediator
}

const mediatorPays = ({ mediator, transaction }: MediationRequest): boolean => {
  const paid = paymentOf(transaction)
  return paid !== null && actorOf(paid.operation, transaction) === mediator
}

const nothingMuxed = ({ transaction }: MediationRequest): boolean =>
  ![
    transaction.tx.sourceAccount,
    mergeOf(transaction)?.destination,
    paymentOf(transaction)?.payment.destination,
    ...transaction.tx.operations.map(({ sourceAccount }) => sourceAccount)
  ].some(isMuxed)

/**
 * Every condition of co-signing, in the order in which they are checked; the first that is broken names the refusal. The shape is
 * checked against the mediator that is configured, so a rotated key needs no change on any client.
 */
export const rules: ReadonlyArray<MediationRule> = [
  { name: "network", holds: (request) => isPaidByMediator(request) || allVerify(request) },
  { name: "not_fee_bump", holds: ({ envelope }) => envelope.type === "envelopeTypeTx" },
  { name: "two_operations", holds: ({ transaction }) => transaction.tx.operations.length === 2 },
  { name: "merge_into_mediator", holds: mergesIntoMediator },
  { name: "payment_from_mediator", holds: mediatorPays },
  { name: "native_only", holds: ({ transaction }) => paymentOf(transaction)?.payment.asset.type === "assetTypeNative" },
  { name: "source_is_closing_account", holds: sourceIsClosing },
  { name: "not_muxed", holds: nothingMuxed },
  { name: "preconditions_plain", holds: isPlain },
  { name: "time_bounds", holds: isTimely },
  { name: "destination_is_registered", holds: (request) => listingIn(request)?.requiresMediator === true },
  { name: "memo_matches_registry", holds: memoMatches },
  { name: "sequence_is_next", holds: ({ source, transaction }) => source !== null && transaction.tx.seqNum === source.seqNum + 1n },
  { name: "fee_bounded", holds: isBounded },
  { name: "account_is_empty", holds: isEmpty },
  { name: "amount_covered", holds: isCovered },
  { name: "no_mediator_signature_yet", holds: (request) => !mediatorSigned(request) },
  { name: "dry_run", holds: goesThrough }
]

/** The first rule an envelope breaks; null when the mediator may sign. */
export const brokenRule = (request: MediationRequest): string | null => rules.find(({ holds }) => !holds(request))?.name ?? null

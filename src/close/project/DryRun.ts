import { StrKey, xdr } from "@stellar/stellar-sdk"
import type { FeePayer } from "../../domain/Plan.ts"
import { applyTransaction, checkTransaction, type TrialResult } from "../../ledger/Apply.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"

/** Stands in for the account that will wrap the transaction in a fee bump. It has no private key. */
const someSponsor = StrKey.encodeEd25519PublicKey(new Uint8Array(32))

const sponsorEntry = (): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 0,
    data: xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId: xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(someSponsor)),
        balance: 1_000_000_0000000n,
        seqNum: 0n,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: "",
        thresholds: new Uint8Array([1, 0, 0, 0]),
        signers: [],
        ext: xdr.AccountEntryExt.v0()
      })
    ),
    ext: xdr.LedgerEntryExt.v0()
  })

const resourceFeeOf = ({ ext }: xdr.Transaction): bigint => (ext.type === "sorobanData" ? ext.sorobanData.resourceFee : 0n)

const wrapped = (envelope: xdr.TransactionEnvelope, baseFee: number): xdr.TransactionEnvelope => {
  if (envelope.type !== "envelopeTypeTx") return envelope
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({
      tx: new xdr.FeeBumpTransaction({
        feeSource: xdr.MuxedAccount.keyTypeEd25519(new Uint8Array(32)),
        fee: BigInt(baseFee) * BigInt(envelope.v1.tx.operations.length + 1) + resourceFeeOf(envelope.v1.tx),
        innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(envelope.v1),
        ext: xdr.FeeBumpTransactionExt.v0()
      }),
      signatures: []
    })
  )
}

/**
 * Applies an unsigned envelope to a state of the ledger, every signature taken as given. Where another account pays the fee, the
 * envelope is wrapped in a fee bump of a stand-in, which is not in the state that comes out.
 */
export const dryRun = (
  state: LedgerState,
  envelope: xdr.TransactionEnvelope,
  feePayer: FeePayer,
  networkPassphrase: string
): TrialResult => {
  const options = { networkPassphrase, signatures: "assume" } as const
  if (feePayer === "source") return applyTransaction(state, envelope, options)
  const { envelope: bump, receipt, result, state: after, transaction } = applyTransaction(
    state.set([sponsorEntry()]),
    wrapped(envelope, state.header.baseFee),
    options
  )
  return { envelope: bump, transaction, result, receipt, state: after.delete([accountKey(someSponsor)]), feeCharged: 0n }
}

/**
 * What the ledger would refuse an unsigned envelope for before it applies any operation (form, bounds, sequence, fee, declared resources,
 * balance), every signature taken as given; null: nothing.
 */
export const dryCheck = (
  state: LedgerState,
  envelope: xdr.TransactionEnvelope,
  feePayer: FeePayer,
  networkPassphrase: string
): xdr.TransactionResult | null => {
  const options = { networkPassphrase, signatures: "assume" } as const
  if (feePayer === "source") return checkTransaction(state, envelope, options)
  return checkTransaction(state.set([sponsorEntry()]), wrapped(envelope, state.header.baseFee), options)
}

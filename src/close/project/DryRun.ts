import { StrKey, xdr } from "@stellar/stellar-sdk"
import type { FeePayer } from "../../domain/Plan.ts"
import { type AppliedTransaction, applyTransaction, checkTransaction } from "../../ledger/Apply.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { brokenBy } from "../../ledger/TransactionInvariants.ts"
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

/** What a transaction does on the ledger model. */
export interface TrialResult extends Omit<AppliedTransaction, "meta"> {
  /** What it did there that no transaction can do, one line each: a fault of the model. Counted when it is requested. */
  readonly broken: () => ReadonlyArray<string>
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
  const isOwn = feePayer === "source"
  const before = isOwn ? state : state.set([sponsorEntry()])
  const applied = applyTransaction(before, isOwn ? envelope : wrapped(envelope, state.header.baseFee), options)
  const { feeCharged, receipt, result, transaction } = applied
  return {
    envelope: applied.envelope,
    transaction,
    result,
    receipt,
    get state() {
      return isOwn ? applied.state : applied.state.delete([accountKey(someSponsor)])
    },
    feeCharged: isOwn ? feeCharged : 0n,
    broken: () => brokenBy(before, applied)
  }
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

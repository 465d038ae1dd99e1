import { xdr } from "@stellar/stellar-sdk"
import type { PlainTransaction } from "../Transaction.ts"
import { eventsFee, nonRefundableFee } from "./ResourceFee.ts"
import { declaredResources, envelopeSize, isRestore } from "./Resources.ts"
import type { Settings } from "./Settings.ts"

/** What a contract call gave back. */
export interface CallOutcome {
  readonly returnValue: xdr.ScVal
  readonly events: ReadonlyArray<xdr.ContractEvent>
}

/**
 * The account of one contract transaction: what of its declared resource fee is spent, what goes back, and what the
 * call gave. A transaction that fails spends nothing of the refundable part.
 */
export class Receipt {
  static of({ signatures, tx }: PlainTransaction, data: xdr.SorobanTransactionData, settings: Settings): Receipt {
    const declared = declaredResources(data, isRestore(tx), envelopeSize(tx, signatures))
    return new Receipt(data.resourceFee, nonRefundableFee(declared, settings), settings)
  }

  /** Stroops. */
  readonly nonRefundable: bigint
  private readonly refundable: bigint
  private readonly settings: Settings
  private rent = 0n
  private consumed = 0n
  private outcome: CallOutcome | undefined
  private notes: ReadonlyArray<xdr.DiagnosticEvent> = []
  /** Entries brought back from the archive, by stored id, as they came back. */
  private restores: ReadonlyMap<string, xdr.LedgerEntry> = new Map()

  private constructor(resourceFee: bigint, nonRefundable: bigint, settings: Settings) {
    this.nonRefundable = nonRefundable
    this.refundable = resourceFee - nonRefundable
    this.settings = settings
  }

  /** Spends on rent and events; false when the refundable part does not cover them. */
  consume(rent: bigint, eventBytes: number): boolean {
    this.rent = rent
    this.consumed = rent + eventsFee(eventBytes, this.settings)
    return this.consumed <= this.refundable
  }

  complete(outcome: CallOutcome): void {
    this.outcome = outcome
  }

  note(events: ReadonlyArray<xdr.DiagnosticEvent>): void {
    this.notes = events
  }

  restored(entries: ReadonlyMap<string, xdr.LedgerEntry>): void {
    this.restores = entries
  }

  get restoredEntries(): ReadonlyMap<string, xdr.LedgerEntry> {
    return this.restores
  }

  /** The transaction failed: nothing refundable is spent, and nothing was done. */
  fail(): void {
    this.rent = 0n
    this.consumed = 0n
    this.outcome = undefined
  }

  get refund(): bigint {
    return this.refundable - this.consumed
  }

  /** What the call gave back; undefined for one that failed, and where nothing was called. */
  get returnValue(): xdr.ScVal | undefined {
    return this.outcome?.returnValue
  }

  get events(): ReadonlyArray<xdr.ContractEvent> {
    return this.outcome?.events ?? []
  }

  get diagnosticEvents(): ReadonlyArray<xdr.DiagnosticEvent> {
    return this.notes
  }

  /** The receipt in the form of transaction metadata. */
  toMeta(): xdr.SorobanTransactionMetaV2 {
    return new xdr.SorobanTransactionMetaV2({
      ext: xdr.SorobanTransactionMetaExt.v1(
        new xdr.SorobanTransactionMetaExtV1({
          ext: xdr.ExtensionPoint.v0(),
          totalNonRefundableResourceFeeCharged: this.nonRefundable,
          totalRefundableResourceFeeCharged: this.consumed,
          rentFeeCharged: this.rent
        })
      ),
      returnValue: this.outcome?.returnValue ?? null
    })
  }
}

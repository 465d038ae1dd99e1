import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { approvalBytes } from "../situation/EnvelopeSize.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"
import { signingOf } from "./Signers.ts"

/** What tells how large a transaction is. */
type MeasuredTransaction = Pick<PlannedTransaction, "envelope" | "groups" | "holdings" | "isContract" | "ledgerState" | "simulatedAt">

/** How large envelopes may be, and who pays. */
interface EnvelopeLimits {
  readonly input: Pick<CloseInput, "envelopeLimit" | "feePayer">
}

/**
 * Bytes of a transaction's envelope with the most signatures that it may need, and with the fee bump of who pays; null where they are not
 * known before its contract call is simulated.
 */
export const envelopeBytes = ({ input }: EnvelopeLimits, planned: MeasuredTransaction): number | null =>
  planned.isContract && planned.simulatedAt === null
    ? null
    : xdrLength(planned.envelope) + approvalBytes(planned.ledgerState, input, signingOf(planned).map(({ account }) => account))

/** Warnings of transactions that stay larger than a request with `smallEnvelopes` wants them, with their index in the plan. */
export const largeEnvelopes = (
  situation: EnvelopeLimits,
  transactions: ReadonlyArray<MeasuredTransaction>
): ReadonlyArray<PlanBlocker> => {
  const { envelopeLimit } = situation.input
  return envelopeLimit === null ? [] : transactions.flatMap((planned, index) => {
    const bytes = envelopeBytes(situation, planned)
    return bytes === null || bytes <= envelopeLimit ? [] : [
      warning(
        "envelope_large",
        `The envelope of transaction ${index + 1} has ${bytes} bytes with its signatures, more than ${envelopeLimit}. ${
          planned.isContract ? "A contract call" : "What stands in it"
        } cannot be split. A device that cannot take it cannot sign it.`,
        `transactions[${index}]`
      )
    ]
  })
}

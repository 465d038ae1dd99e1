import type { Schema } from "effect"
import type { CloseTransaction, TransactionsResult } from "../domain/CloseTransaction.ts"
import type { Given } from "./Callback.ts"

/** A transaction as the service hands it over. All but the envelope is a label. */
export type OfferedTransaction = Schema.Schema.Encoded<typeof CloseTransaction>

/** What the service warns of when it builds a transaction. */
export type BuildWarnings = NonNullable<Schema.Schema.Encoded<typeof TransactionsResult>["warnings"]>

/** What is to be signed. The envelope was verified. */
export interface SigningRequest {
  /** Base64. It may carry the mediator's signature. */
  readonly envelope: string
  readonly hash: string
  readonly networkPassphrase: string
  /** What the envelope does, in sentences decoded from it. */
  readonly explanation: ReadonlyArray<string>
  /** The least lumens that arrive by this transaction, as a decimal; null: it does not merge the account. */
  readonly guaranteedLumens: string | null
  /**
   * What the build warned of: that the transaction rests on one source (`single_source`), or that its envelope is large (`envelope_large`). Of a
   * bundle it is what its maker says, in this version's words: nothing proves it, or that nothing is left out.
   */
  readonly warnings: BuildWarnings
  /** Who must sign, as the service says. */
  readonly signing: OfferedTransaction["signing"]
}

/** Signs: gives the same envelope with signatures added, base64. */
export type Sign = (request: SigningRequest) => Given<string>

import type { xdr } from "@stellar/stellar-sdk"
import type { ApplyOptions } from "../ApplyOptions.ts"
import type { Draft } from "../Draft.ts"
import { sha256 } from "../Signatures.ts"
import { isSoroban, type PlainTransaction } from "../Transaction.ts"
import { type Contracts, noContracts } from "./Contract.ts"
import { Receipt } from "./Receipt.ts"
import { sorobanDataOf } from "./Resources.ts"
import { type Settings, settingsOf } from "./Settings.ts"

/** What a contract operation runs with, beyond what every operation has. */
export interface SorobanContext {
  readonly data: xdr.SorobanTransactionData
  readonly settings: Settings
  readonly networkId: Uint8Array
  readonly contracts: Contracts
  readonly signatures: "verify" | "assume"
  readonly receipt: Receipt
}

export const settingsIn = (draft: Draft): Settings => settingsOf((id) => draft.peek(id))

/** The context of a contract transaction; undefined for a classic one, and for one without resources. */
export const sorobanContext = (
  draft: Draft,
  transaction: PlainTransaction,
  { contracts = noContracts, networkPassphrase, signatures }: ApplyOptions
): SorobanContext | undefined => {
  if (!isSoroban(transaction.tx)) return undefined
  const data = sorobanDataOf(transaction.tx)
  if (data === undefined) return undefined
  const settings = settingsIn(draft)
  const receipt = Receipt.of(transaction, data, settings)
  return { data, settings, networkId: sha256(Buffer.from(networkPassphrase)), contracts, signatures, receipt }
}

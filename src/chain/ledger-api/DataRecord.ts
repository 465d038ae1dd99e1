import type { AccountAddress } from "../../domain/Address.ts"

/** A data entry: the only answer of the ledger API that tells who sponsors one. */
export interface DataRecord {
  /** Base64. */
  readonly value: string
  readonly sponsor: AccountAddress | null
  readonly latestLedger: number
}

import type { ContractRpc } from "../chain/ContractRpc.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"

/** The sources of a reading. */
export interface Sources {
  readonly api: LedgerApi["Type"]
  readonly entries: LedgerEntries["Type"]
  readonly rpc: ContractRpc["Type"]
}

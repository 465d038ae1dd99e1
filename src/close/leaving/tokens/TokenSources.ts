import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import type { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import type { TokenRoutes } from "../../../tokens/TokenRoutes.ts"
import type { OwnTransactionReader } from "../read/OwnTransactionReader.ts"

/** Where contract work beside positions is read. */
export interface TokenSources {
  readonly entries: LedgerEntries["Type"]
  readonly events: OwnerEvents["Type"]
  readonly rpc: ContractRpc["Type"]
  readonly routes: TokenRoutes["Type"]
  /** The account's own transactions, each page of them read once in this request. */
  readonly ownTransactions: OwnTransactionReader
  readonly protocols: ProtocolRegistry["Type"]
}

/** What it is read for. */
export interface TokenPurpose {
  readonly purpose: "plan" | "build"
  /** When reading for this close began, milliseconds of the clock. */
  readonly began: number
  /** Stroops of resource fee that a call may declare without its owner's word. */
  readonly mostResourceFee: bigint
}

import type { Contracts } from "./soroban/Contract.ts"

/** What a transaction is judged by beside the ledger itself. */
export interface ApplyOptions {
  readonly networkPassphrase: string
  /** `assume` takes every needed signature as given, for a dry run of an envelope no one signed. */
  readonly signatures: "verify" | "assume"
  /** Stroops per operation the transactions of the ledger pay; the header's base fee when absent. */
  readonly surgeBaseFee?: number
  /** The same for contract transactions, where they pay something else. */
  readonly surgeContractFee?: number
  /** Models of the contracts the ledger can run besides those of assets. */
  readonly contracts?: Contracts
}

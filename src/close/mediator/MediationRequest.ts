import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { RegistryEntry } from "../../domain/RegistryDocument.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { PlainTransaction } from "../../ledger/Transaction.ts"

/** An envelope that asks for the mediator's signature, and everything the rules look at. */
export interface MediationRequest {
  readonly envelope: xdr.TransactionEnvelope
  /** The transaction that runs: the inner one, should a fee bump wrap it. */
  readonly transaction: PlainTransaction
  readonly passphrase: string
  readonly mediator: AccountAddress
  readonly mediatorAccount: xdr.AccountEntry
  /** The account of the transaction's source as it is now; null when there is none. */
  readonly source: xdr.AccountEntry | null
  /** The registry's entry of an address, on a registry that has not expired. */
  readonly listingOf: (address: AccountAddress) => RegistryEntry | null
  /** Live entries of everyone concerned, under the header of the next ledger. */
  readonly ledgerState: LedgerState
  /** Unix seconds. */
  readonly now: bigint
  /** Stroops an operation may offer. */
  readonly mostPerOperation: bigint
}

/** One condition of co-signing. */
export interface MediationRule {
  /** What `details.rule` says when it is broken. */
  readonly name: string
  readonly holds: (request: MediationRequest) => boolean
}

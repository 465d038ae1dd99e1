import type { AccountAddress } from "../../domain/Address.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { PoolId } from "../../domain/Ledger.ts"

/** A trustline to an issued asset. */
export interface LineRecord {
  readonly asset: AssetId
  readonly balance: Stroops
  readonly limit: Stroops
  readonly buyingLiabilities: Stroops
  readonly sellingLiabilities: Stroops
  readonly authorized: boolean
  readonly sponsor: AccountAddress | null
}

/** A trustline to the shares of a pool. The ledger API does not tell its sponsor. */
export interface PoolShareRecord {
  readonly poolId: PoolId
  readonly balance: Stroops
}

/** A signer, the master key included. */
export interface SignerRecord {
  /** StrKey. */
  readonly key: string
  readonly weight: number
  readonly sponsor: AccountAddress | null
}

/** An account as the ledger API lists it. */
export interface AccountRecord {
  readonly address: AccountAddress
  readonly sequence: bigint
  /** The ledger that changed the account entry last. */
  readonly lastModifiedLedger: number
  readonly numSubEntries: number
  readonly numSponsoring: number
  readonly numSponsored: number
  readonly sponsor: AccountAddress | null
  readonly nativeBalance: Stroops
  readonly trustlines: ReadonlyArray<LineRecord>
  readonly poolShares: ReadonlyArray<PoolShareRecord>
  readonly signers: ReadonlyArray<SignerRecord>
  /** Values in base64, by name. */
  readonly data: ReadonlyMap<string, string>
  /** The newest ledger the ledger API had seen when it answered. */
  readonly latestLedger: number
}

/** Every account of a question. */
export interface AccountList {
  readonly accounts: ReadonlyArray<AccountRecord>
  readonly latestLedger: number
}

import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount, IntegerText } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { PlanBlocker } from "./Blocker.ts"
import { ClaimPredicate } from "./ClaimPredicate.ts"
import { ContractTokensResult } from "./ContractToken.ts"
import { BalanceId, PoolId } from "./Ledger.ts"
import { Network } from "./Network.ts"
import { DefiPositionsResult } from "./Position.ts"

/** A name and value kept on the account (MANAGE_DATA). */
export const DataEntry = Schema.Struct({
  key: Schema.String.annotations({ description: "Name of the entry." }),
  value: Schema.String.annotations({ description: "Base64." })
}).annotations({ identifier: "DataEntry", description: "A data entry; names from the ledger API, values confirmed by contract RPC." })
export type DataEntry = typeof DataEntry.Type

/** Kinds of signers; `hash_x` is what the ledger API calls `sha256_hash`. */
export const SignerType = Schema.Literal("ed25519_public_key", "hash_x", "preauth_tx", "ed25519_signed_payload").annotations({ identifier: "SignerType" })
export type SignerType = typeof SignerType.Type

/** A key that may sign for the account, the master key included. */
export const AccountSigner = Schema.Struct({
  key: Schema.String.annotations({ description: "StrKey: G..., X..., T... or P..." }),
  weight: Schema.Int,
  type: SignerType
}).annotations({ identifier: "AccountSigner", description: "A signer, from the account entry (contract RPC)." })
export type AccountSigner = typeof AccountSigner.Type

/** The weight that operations of each level need. */
export const AccountThresholds = Schema.Struct({
  low: Schema.Int,
  med: Schema.Int,
  high: Schema.Int
}).annotations({ identifier: "AccountThresholds" })

const sponsored = <const Kind extends string, Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...fields })

/** An entry whose reserve this account pays. */
export const SponsoredEntry = Schema.Union(
  sponsored("account", { owner: AccountAddress }),
  sponsored("trustline", { owner: AccountAddress, asset: Schema.String.annotations({ description: "Asset identifier, or a pool id." }) }),
  sponsored("offer", { owner: AccountAddress, offerId: IntegerText }),
  sponsored("data_entry", { owner: AccountAddress, name: Schema.String }),
  sponsored("signer", { owner: AccountAddress, signerKey: Schema.String }),
  sponsored("claimable_balance", { balanceId: BalanceId })
).annotations({ identifier: "SponsoredEntry", description: "An entry sponsored by this account, discriminated by `kind`." })
export type SponsoredEntry = typeof SponsoredEntry.Type

/** A trustline to an issued asset. */
export const Trustline = Schema.Struct({
  asset: AssetId,
  balance: Amount,
  authorized: Schema.Boolean.annotations({ description: "False also for a line that may only maintain liabilities." }),
  issuer: AccountAddress,
  code: Schema.String.annotations({ description: "Asset code." }),
  limit: Schema.optionalWith(Amount, { exact: true }).annotations({ description: "Present only when contract RPC could not confirm the line." })
}).annotations({ identifier: "Trustline", description: "A trustline; balance confirmed by contract RPC." })
export type Trustline = typeof Trustline.Type

/** An open offer of the account. */
export const OpenOffer = Schema.Struct({
  id: IntegerText,
  selling: AssetId,
  buying: AssetId,
  amount: Amount.annotations({ description: "Amount of `selling` still offered." }),
  price: Schema.String.annotations({ description: "`buying` per `selling`, decimal." })
}).annotations({ identifier: "OpenOffer", description: "An open offer; listed by the ledger API, confirmed by contract RPC." })
export type OpenOffer = typeof OpenOffer.Type

/** A share in a liquidity pool of the ledger. */
export const PoolShareEntry = Schema.Struct({ poolId: PoolId }).annotations({ identifier: "PoolShareEntry" })
export type PoolShareEntry = typeof PoolShareEntry.Type

/** A balance this account could claim. */
export const ClaimableBalance = Schema.Struct({
  id: BalanceId,
  asset: AssetId,
  amount: Amount,
  claimants: Schema.Array(Schema.Struct({ destination: AccountAddress, predicate: ClaimPredicate })),
  sponsor: Schema.NullOr(AccountAddress).annotations({ description: "Account that pays for its reserve, or null." })
}).annotations({ identifier: "ClaimableBalance", description: "A claimable balance that names this account as a claimant." })
export type ClaimableBalance = typeof ClaimableBalance.Type

/** Everything an account holds, as far as it could be read; what could not be read is said, never left empty. */
export const AccountState = Schema.Struct({
  address: AccountAddress,
  network: Network,
  sequence: IntegerText,
  nativeBalanceLumens: Amount,
  dataEntries: Schema.Array(DataEntry),
  signers: Schema.Array(AccountSigner),
  thresholds: AccountThresholds,
  numSubEntries: Schema.Int.annotations({ description: "Sub-entry count of the account entry." }),
  numSponsoring: Schema.Int.annotations({ description: "Base reserves this account pays for other entries." }),
  sponsoredEntries: Schema.Array(SponsoredEntry).annotations({ description: "Entries this account sponsors, on another account or itself." }),
  sponsorshipEnumerationIncomplete: Schema.Boolean.annotations({ description: "True when sponsoredEntries could not be listed completely." }),
  sponsoredBy: Schema.NullOr(AccountAddress).annotations({ description: "Account that pays for this account's own reserve, or null." }),
  authImmutable: Schema.Boolean.annotations({ description: "AUTH_IMMUTABLE is set: ACCOUNT_MERGE is blocked for ever." }),
  trustlines: Schema.Array(Trustline),
  openOffers: Schema.Array(OpenOffer),
  poolShares: Schema.Array(PoolShareEntry),
  claimableBalances: Schema.Array(ClaimableBalance),
  subEntryMismatch: Schema.Boolean.annotations({ description: "True when fewer sub-entries were enumerated than numSubEntries." }),
  defiPositions: DefiPositionsResult,
  defiPositionsWarnings: Schema.Array(PlanBlocker),
  contractTokens: Schema.optionalWith(ContractTokensResult, { exact: true }).annotations({
    description: "Absent: nothing is known about contract tokens. Absence never means that nothing is held."
  })
}).annotations({ identifier: "AccountState", description: "Everything an account holds." })
export type AccountState = typeof AccountState.Type

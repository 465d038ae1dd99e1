import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount, IntegerText } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { PlanBlocker } from "./Blocker.ts"
import { ClaimPredicate } from "./ClaimPredicate.ts"
import { ContractTokensResult } from "./ContractToken.ts"
import { Int } from "./Leaf.ts"
import { BalanceId, PoolId } from "./Ledger.ts"
import { Network } from "./Network.ts"
import { optional } from "./OptionalField.ts"
import { DefiPositionsResult } from "./Position.ts"

/** A name and value kept on the account (MANAGE_DATA). */
export const DataEntry = Schema.Struct({
  key: Schema.String.annotations({ description: "Name of the entry." }),
  value: Schema.String.annotations({ description: "Base64." })
}).annotations({
  identifier: "DataEntry",
  description: "A data entry; listed by the ledger API (/accounts/{id}), its value from contract RPC (getLedgerEntries)."
})
export type DataEntry = typeof DataEntry.Type

/** Kinds of signers; `hash_x` is what the ledger API calls `sha256_hash`. */
export const SignerType = Schema.Literal("ed25519_public_key", "hash_x", "preauth_tx", "ed25519_signed_payload").annotations({
  identifier: "SignerType",
  description: "The kind of a signer. The ledger API calls `hash_x` by the name `sha256_hash`."
})
export type SignerType = typeof SignerType.Type

/** A key that may sign for the account, the master key included. */
export const AccountSigner = Schema.Struct({
  key: Schema.String.annotations({ description: "StrKey: G..., X..., T... or P..." }),
  weight: Int.annotations({ description: "0 for a master key that is switched off." }),
  type: SignerType
}).annotations({ identifier: "AccountSigner", description: "A signer, from the account entry (contract RPC). The master key is first." })
export type AccountSigner = typeof AccountSigner.Type

/** The weight that operations of each level need. */
const AccountThresholds = Schema.Struct({
  low: Int.annotations({ description: "Weight that operations of the level `low` need." }),
  med: Int.annotations({ description: "Weight that operations of the level `med` need, for instance payments." }),
  high: Int.annotations({ description: "Weight that operations of the level `high` need, for instance a merge." })
}).annotations({ identifier: "AccountThresholds", description: "Weights needed, from the account entry (contract RPC)." })

const sponsored = <const Kind extends string, Fields extends Schema.Struct.Fields>(identifier: string, kind: Kind, fields: Fields) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...fields }).annotations({
    identifier,
    description: `An entry of the kind \`${kind}\` whose reserve this account pays.`
  })

const owner = AccountAddress.annotations({ description: "The account that owns the entry." })

/** An entry whose reserve this account pays. */
export const SponsoredEntry = Schema.Union(
  sponsored("SponsoredAccount", "account", { owner }),
  sponsored("SponsoredTrustline", "trustline", {
    owner,
    asset: Schema.String.annotations({ description: "Asset identifier, or a pool id." })
  }),
  sponsored("SponsoredOffer", "offer", { owner, offerId: IntegerText.annotations({ description: "Id of the offer." }) }),
  sponsored("SponsoredDataEntry", "data_entry", { owner, name: Schema.String.annotations({ description: "Name of the data entry." }) }),
  sponsored("SponsoredSigner", "signer", {
    owner,
    signerKey: Schema.String.annotations({ description: "Key of the signer, as a StrKey." })
  }),
  sponsored("SponsoredClaimableBalance", "claimable_balance", { balanceId: BalanceId })
).annotations({
  identifier: "SponsoredEntry",
  description:
    "An entry sponsored by this account, discriminated by `kind`; listed by the ledger API (?sponsor=), its sponsor from contract RPC (extXdr)."
})
export type SponsoredEntry = typeof SponsoredEntry.Type

/** A trustline to an issued asset. */
export const Trustline = Schema.Struct({
  asset: AssetId,
  balance: Amount.annotations({ description: "What the account holds of the asset." }),
  authorized: Schema.Boolean.annotations({ description: "False also for a line that may only maintain liabilities." }),
  issuer: AccountAddress.annotations({ description: "The account that issued the asset." }),
  code: Schema.String.annotations({ description: "Asset code." }),
  limit: optional(Amount).annotations({
    description:
      "Present only when contract RPC could not confirm the line: everything of it is then from the ledger API, and a warning names it."
  })
}).annotations({
  identifier: "Trustline",
  description: "A trustline; listed by the ledger API (/accounts/{id}), balance and flags from contract RPC."
})
export type Trustline = typeof Trustline.Type

/** An open offer of the account. */
export const OpenOffer = Schema.Struct({
  id: IntegerText.annotations({ description: "Id of the offer." }),
  selling: AssetId.annotations({ description: "The asset that the offer sells." }),
  buying: AssetId.annotations({ description: "The asset that the offer buys." }),
  amount: Amount.annotations({ description: "Amount of `selling` still offered." }),
  price: Schema.String.annotations({ description: "`buying` per `selling`, seven decimals; the ledger holds the exact fraction." })
}).annotations({
  identifier: "OpenOffer",
  description: "An open offer; listed by the ledger API (/offers?seller=), confirmed by contract RPC."
})
export type OpenOffer = typeof OpenOffer.Type

/** A share in a liquidity pool of the ledger. */
export const PoolShareEntry = Schema.Struct({ poolId: PoolId }).annotations({
  identifier: "PoolShareEntry",
  description: "A line to pool shares, empty ones too; listed by the ledger API (/accounts/{id}), confirmed by contract RPC."
})
export type PoolShareEntry = typeof PoolShareEntry.Type

/** Who may claim a balance, and when. */
export const Claimant = Schema.Struct({
  destination: AccountAddress.annotations({ description: "The account that may claim." }),
  predicate: ClaimPredicate,
  claimable: Schema.Boolean.annotations({
    description:
      "Whether the predicate holds at the close time of the ledger that was read. The ledger judges again when it applies a claim."
  })
}).annotations({ identifier: "Claimant", description: "Who may claim a balance, and when." })
export type Claimant = typeof Claimant.Type

/** A balance this account could claim. */
export const ClaimableBalance = Schema.Struct({
  id: BalanceId,
  asset: AssetId,
  amount: Amount.annotations({ description: "Amount of the balance." }),
  claimants: Schema.Array(Claimant).annotations({ description: "Every account that may claim it." }),
  sponsor: Schema.NullOr(AccountAddress).annotations({ description: "Account that pays for its reserve, or null (contract RPC, extXdr)." })
}).annotations({
  identifier: "ClaimableBalance",
  description:
    "A claimable balance that names this account as a claimant; listed by the ledger API (/claimable_balances?claimant=), confirmed by contract RPC."
})
export type ClaimableBalance = typeof ClaimableBalance.Type

/** Everything an account holds, as far as it could be read; what could not be read is said, never left empty. */
export const AccountState = Schema.Struct({
  address: AccountAddress.annotations({ description: "The account that was read." }),
  network: Network,
  sequence: IntegerText.annotations({ description: "Of the account entry (contract RPC)." }),
  nativeBalanceLumens: Amount.annotations({
    description: "Balance of the account entry (contract RPC), reserves and selling liabilities included."
  }),
  dataEntries: Schema.Array(DataEntry).annotations({ description: "Data entries of the account." }),
  signers: Schema.Array(AccountSigner).annotations({ description: "Signers of the account, the master key first." }),
  thresholds: AccountThresholds,
  numSubEntries: Int.annotations({
    description: "Sub-entry count of the account entry (contract RPC). A line to pool shares counts as two."
  }),
  numSponsoring: Int.annotations({
    description: "Base reserves this account pays for other entries, of the account entry (contract RPC)."
  }),
  sponsoredEntries: Schema.Array(SponsoredEntry).annotations({
    description: "Entries this account sponsors, on another account or itself."
  }),
  sponsorshipEnumerationIncomplete: Schema.Boolean.annotations({
    description: "True when sponsoredEntries could not be listed completely."
  }),
  sponsoredBy: Schema.NullOr(AccountAddress).annotations({ description: "Account that pays for this account's own reserve, or null." }),
  authImmutable: Schema.Boolean.annotations({ description: "AUTH_IMMUTABLE is set: ACCOUNT_MERGE is blocked permanently." }),
  trustlines: Schema.Array(Trustline).annotations({ description: "Trustlines to issued assets." }),
  openOffers: Schema.Array(OpenOffer).annotations({ description: "Open offers of the account." }),
  poolShares: Schema.Array(PoolShareEntry).annotations({ description: "Trustlines to pool shares." }),
  claimableBalances: Schema.Array(ClaimableBalance).annotations({
    description: "Claimable balances that name this account as a claimant."
  }),
  subEntryMismatch: Schema.Boolean.annotations({ description: "True when fewer sub-entries were enumerated than numSubEntries." }),
  defiPositions: DefiPositionsResult,
  defiPositionsWarnings: Schema.Array(PlanBlocker).annotations({
    description: "Warnings about the reading of positions. Each has a `code`."
  }),
  warnings: Schema.Array(PlanBlocker).annotations({
    description:
      "What a caller must know about this reading: sources that lag, parts that may not fit together, entries that could not be confirmed. Each has a `code`. Empty: nothing was missed as of the ledger in which the read began."
  }),
  contractTokens: optional(ContractTokensResult).annotations({
    description: "Absent: nothing is known about contract tokens. Absence never means that nothing is held."
  })
}).annotations({ identifier: "AccountState", description: "Everything an account holds." })
export type AccountState = typeof AccountState.Type

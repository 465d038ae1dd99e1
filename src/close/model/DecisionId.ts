import { Option, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { AssetId, dashed, native } from "../../domain/Asset.ts"
import { BalanceId, PoolId } from "../../domain/Ledger.ts"
import { ProtocolName } from "../../domain/Position.ts"

/** What a decision id is about. */
export type DecisionSubject =
  | { readonly kind: "destination"; readonly address: AccountAddress }
  | { readonly kind: "asset" | "claims"; readonly asset: AssetId }
  | { readonly kind: "pool"; readonly poolId: PoolId }
  | { readonly kind: "claim"; readonly balanceId: BalanceId }
  | { readonly kind: "token"; readonly contract: ContractAddress }
  | { readonly kind: "issuer"; readonly address: AccountAddress }
  | { readonly kind: "position" | "positions" | "positions_unread"; readonly protocol: ProtocolName }
  | { readonly kind: "allowance" | "sponsorship" | "claims_others" | "claims_unread" | "later" | "positions_others" }

export const destinationDecision = (address: AccountAddress): string => `destination:${address}`
export const assetDecision = (asset: AssetId): string => `asset:${dashed(asset)}`
export const poolDecision = (poolId: PoolId): string => `pool:${poolId}`
export const claimDecision = (balanceId: BalanceId): string => `claim:${balanceId}`
export const claimsDecision = (asset: AssetId): string => `claims:${dashed(asset)}`
/** All claimable balances that are asked about together, because nothing is known to buy them. */
export const othersDecision = "claims:others"
/** More claimable balances than could be listed. */
export const unreadClaimsDecision = "claims_unread"

const assetIn = (text: string): Option.Option<AssetId> => Schema.decodeUnknownOption(AssetId)(text.replace("-", ":"))

const sponsored = /^(account|trustline|offer|data_entry|signer|claimable_balance):.+$/s

/** Of what kind an id is; null when no decision could have such an id. */
export const kindOf = (id: string): DecisionSubject["kind"] | null => Option.match(subjectOf(id), { onNone: () => null, onSome: ({ kind }) => kind })

/** The asset whose disposal an id is about; null for any other id. */
export const disposedAsset = (id: string): AssetId | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: (subject) => (subject.kind === "asset" ? subject.asset : null) })

/** What an id is about; none when no decision could have such an id. */
export const subjectOf = (id: string): Option.Option<DecisionSubject> => {
  if (id === "later" || id === "claims_unread") return Option.some({ kind: id })
  if (id === othersDecision) return Option.some({ kind: "claims_others" })
  if (id === "positions:others") return Option.some({ kind: "positions_others" })
  const colon = id.indexOf(":")
  if (colon < 0) return Option.none()
  const rest = id.slice(colon + 1)
  const kind = id.slice(0, colon)
  switch (kind) {
    case "destination":
    case "issuer":
      return Option.map(Schema.decodeUnknownOption(AccountAddress)(rest), (address) => ({ kind, address }))
    case "asset":
      return Option.map(Option.filter(assetIn(rest), (asset) => asset !== native), (asset) => ({ kind, asset }))
    case "claims":
      return Option.map(assetIn(rest), (asset) => ({ kind, asset }))
    case "pool":
      return Option.map(Schema.decodeUnknownOption(PoolId)(rest), (poolId) => ({ kind, poolId }))
    case "claim":
      return Option.map(Schema.decodeUnknownOption(BalanceId)(rest), (balanceId) => ({ kind, balanceId }))
    case "token":
      return Option.map(Schema.decodeUnknownOption(ContractAddress)(rest), (contract) => ({ kind, contract }))
    case "position":
    case "positions":
    case "positions_unread":
      return Option.map(Schema.decodeUnknownOption(ProtocolName)(rest.split(":")[0] ?? ""), (protocol) => ({ kind, protocol }))
    case "allowance":
      return /^C[A-Z2-7]{55}:[CG][A-Z2-7]{55}$/.test(rest) ? Option.some({ kind }) : Option.none()
    case "sponsorship":
      return sponsored.test(rest) ? Option.some({ kind }) : Option.none()
    default:
      return Option.none()
  }
}

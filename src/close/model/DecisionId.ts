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

/** A token contract, and who may spend of it. */
const allowed = /^C[A-Z2-7]{55}:[CG][A-Z2-7]{55}$/
const sponsored = /^(account|trustline|offer|data_entry|signer|claimable_balance):.+$/s

/** Ids that name nothing beside their kind. */
const standingAlone: ReadonlyMap<string, DecisionSubject> = new Map([
  ["later", { kind: "later" }],
  [unreadClaimsDecision, { kind: "claims_unread" }],
  [othersDecision, { kind: "claims_others" }],
  ["positions:others", { kind: "positions_others" }]
])

type SubjectIn = (rest: string) => Option.Option<DecisionSubject>

const ofAddress = (kind: "destination" | "issuer"): SubjectIn => (rest) =>
  Option.map(Schema.decodeUnknownOption(AccountAddress)(rest), (address) => ({ kind, address }))
const ofProtocol = (kind: "position" | "positions" | "positions_unread"): SubjectIn => (rest) =>
  Option.map(Schema.decodeUnknownOption(ProtocolName)(rest.split(":")[0] ?? ""), (protocol) => ({ kind, protocol }))
const ofPattern = (kind: "allowance" | "sponsorship", pattern: RegExp): SubjectIn => (rest) =>
  pattern.test(rest) ? Option.some({ kind }) : Option.none()

/** What follows the first colon of an id, by what precedes it. */
const subjects: ReadonlyMap<string, SubjectIn> = new Map<string, SubjectIn>([
  ["destination", ofAddress("destination")],
  ["issuer", ofAddress("issuer")],
  ["asset", (rest) => Option.map(Option.filter(assetIn(rest), (asset) => asset !== native), (asset) => ({ kind: "asset", asset }))],
  ["claims", (rest) => Option.map(assetIn(rest), (asset) => ({ kind: "claims", asset }))],
  ["pool", (rest) => Option.map(Schema.decodeUnknownOption(PoolId)(rest), (poolId) => ({ kind: "pool", poolId }))],
  ["claim", (rest) => Option.map(Schema.decodeUnknownOption(BalanceId)(rest), (balanceId) => ({ kind: "claim", balanceId }))],
  ["token", (rest) => Option.map(Schema.decodeUnknownOption(ContractAddress)(rest), (contract) => ({ kind: "token", contract }))],
  ["position", ofProtocol("position")],
  ["positions", ofProtocol("positions")],
  ["positions_unread", ofProtocol("positions_unread")],
  ["allowance", ofPattern("allowance", allowed)],
  ["sponsorship", ofPattern("sponsorship", sponsored)]
])

/** Of what kind an id is; null when no decision could have such an id. */
export const kindOf = (id: string): DecisionSubject["kind"] | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: ({ kind }) => kind })

/** The asset whose disposal an id is about; null for any other id. */
export const disposedAsset = (id: string): AssetId | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: (subject) => (subject.kind === "asset" ? subject.asset : null) })

/** What an id is about; none when no decision could have such an id. */
export const subjectOf = (id: string): Option.Option<DecisionSubject> => {
  const alone = standingAlone.get(id)
  if (alone !== undefined) return Option.some(alone)
  const colon = id.indexOf(":")
  if (colon < 0) return Option.none()
  return subjects.get(id.slice(0, colon))?.(id.slice(colon + 1)) ?? Option.none()
}

import { Match, Option, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { AssetId, dashed, native } from "../../domain/Asset.ts"
import { BalanceId, PoolId } from "../../domain/Ledger.ts"
import { ProtocolName } from "../../domain/Position.ts"
import { remembered } from "../../fibers/Remembered.ts"
import type { SponsorshipTarget } from "../../operations/SponsorshipTarget.ts"

/** What a decision is about. Its id on the wire is made of it and read back into it here, and nowhere else. */
export type DecisionSubject =
  /** Whether the destination is the owner's own. */
  | { readonly kind: "destination"; readonly address: AccountAddress }
  /** Abandoning what the closing account issued. */
  | { readonly kind: "issuer"; readonly address: AccountAddress }
  /** Disposing of a balance. */
  | { readonly kind: "asset"; readonly asset: AssetId }
  /** Every claimable balance of one asset. */
  | { readonly kind: "claims"; readonly asset: AssetId }
  /** One claimable balance. */
  | { readonly kind: "claim"; readonly balanceId: BalanceId }
  /** All claimable balances that are asked about together, because nothing is known to buy them. */
  | { readonly kind: "claims_others" }
  /** More claimable balances than could be listed. */
  | { readonly kind: "claims_unread" }
  /** Shares of a pool of the exchange. */
  | { readonly kind: "pool"; readonly poolId: PoolId }
  /** A balance in a contract token. */
  | { readonly kind: "token"; readonly contract: ContractAddress }
  /** All tokens that strangers sent and that nothing is known to buy. */
  | { readonly kind: "tokens_others" }
  /** One position in a protocol; `key` tells it from others in the same contract. */
  | { readonly kind: "position"; readonly protocol: ProtocolName; readonly contract: ContractAddress; readonly key: string }
  /** All positions of one protocol that others gave. */
  | { readonly kind: "positions"; readonly protocol: ProtocolName }
  /** All positions that others gave and that nothing is known to buy. */
  | { readonly kind: "positions_others" }
  /** What of a protocol cannot be read. */
  | { readonly kind: "positions_unread"; readonly protocol: ProtocolName }
  /** What somebody may take of a token; `spender` is in words where it cannot be made out, and then no answer can be about it. */
  | { readonly kind: "allowance"; readonly token: string; readonly spender: string }
  /** An entry whose reserve the closing account pays. */
  | { readonly kind: "sponsorship"; readonly target: SponsorshipTarget }
  /** Whatever strangers add while the close is under way. */
  | { readonly kind: "later" }

/** The id of the question that is asked as long as no destination is named. No answer can have it. */
export const unnamedDestination = "destination"

/** The id of a decision, as the wire has it. */
export const decisionId: (subject: DecisionSubject) => string = Match.type<DecisionSubject>().pipe(
  Match.discriminatorsExhaustive("kind")({
    destination: ({ address }) => `destination:${address}`,
    issuer: ({ address }) => `issuer:${address}`,
    asset: ({ asset }) => `asset:${dashed(asset)}`,
    claims: ({ asset }) => `claims:${dashed(asset)}`,
    claim: ({ balanceId }) => `claim:${balanceId}`,
    claims_others: () => "claims:others",
    claims_unread: () => "claims_unread",
    pool: ({ poolId }) => `pool:${poolId}`,
    token: ({ contract }) => `token:${contract}`,
    tokens_others: () => "tokens:others",
    position: ({ contract, key, protocol }) => `position:${protocol}:${contract}:${key}`,
    positions: ({ protocol }) => `positions:${protocol}`,
    positions_others: () => "positions:others",
    positions_unread: ({ protocol }) => `positions_unread:${protocol}`,
    allowance: ({ spender, token }) => `allowance:${token}:${spender}`,
    sponsorship: ({ target }) => `sponsorship:${target}`,
    later: () => "later"
  })
)

export const destinationDecision = (address: AccountAddress): string => decisionId({ kind: "destination", address })
export const issuerDecision = (address: AccountAddress): string => decisionId({ kind: "issuer", address })
export const assetDecision = (asset: AssetId): string => decisionId({ kind: "asset", asset })
export const claimsDecision = (asset: AssetId): string => decisionId({ kind: "claims", asset })
export const claimDecision = (balanceId: BalanceId): string => decisionId({ kind: "claim", balanceId })
export const otherClaimsDecision = decisionId({ kind: "claims_others" })
export const unreadClaimsDecision = decisionId({ kind: "claims_unread" })
export const poolDecision = (poolId: PoolId): string => decisionId({ kind: "pool", poolId })
export const tokenDecision = (contract: ContractAddress): string => decisionId({ kind: "token", contract })
export const otherTokensDecision = decisionId({ kind: "tokens_others" })
export const positionDecision = ({ contract, key, protocol }: Omit<Extract<DecisionSubject, { kind: "position" }>, "kind">): string =>
  decisionId({ kind: "position", protocol, contract, key })
export const positionsDecision = (protocol: ProtocolName): string => decisionId({ kind: "positions", protocol })
export const otherPositionsDecision = decisionId({ kind: "positions_others" })
export const unreadPositionsDecision = (protocol: ProtocolName): string => decisionId({ kind: "positions_unread", protocol })
export const allowanceDecision = (token: string, spender: string): string => decisionId({ kind: "allowance", token, spender })
export const sponsorshipDecision = (target: SponsorshipTarget): string => decisionId({ kind: "sponsorship", target })
export const laterDecision = decisionId({ kind: "later" })

/** Subjects of which a close has one: their ids name nothing. */
const alone: ReadonlyMap<string, DecisionSubject> = new Map(
  (["claims_others", "claims_unread", "positions_others", "tokens_others", "later"] as const).map((
    kind
  ) => [decisionId({ kind }), { kind }])
)

const addressIn = Schema.decodeUnknownOption(AccountAddress)
const contractIn = Schema.decodeUnknownOption(ContractAddress)
const protocolIn = Schema.decodeUnknownOption(ProtocolName)
const balanceIn = Schema.decodeUnknownOption(BalanceId)
const poolIn = Schema.decodeUnknownOption(PoolId)
const assetNamed = Schema.decodeUnknownOption(AssetId)
const assetIn = (text: string): Option.Option<AssetId> => assetNamed(text.replace("-", ":"))

/** A token contract, and who may spend of it. */
const allowed = /^(C[A-Z2-7]{55}):([CG][A-Z2-7]{55})$/
const sponsored = /^(account|trustline|offer|data_entry|signer|claimable_balance):.+$/s

const allowanceIn = (rest: string): Option.Option<DecisionSubject> => {
  const [, token, spender] = allowed.exec(rest) ?? []
  return token === undefined || spender === undefined ? Option.none() : Option.some({ kind: "allowance", token, spender })
}

const positionIn = (rest: string): Option.Option<DecisionSubject> => {
  const [protocol = "", contract = "", ...key] = rest.split(":")
  return key.length === 0 ? Option.none() : Option.zipWith(
    protocolIn(protocol),
    contractIn(contract),
    (named, address) => ({ kind: "position", protocol: named, contract: address, key: key.join(":") })
  )
}

/** What follows the first colon of an id, by what precedes it. */
const subjects: ReadonlyMap<string, (rest: string) => Option.Option<DecisionSubject>> = new Map<
  string,
  (rest: string) => Option.Option<DecisionSubject>
>([
  ["destination", (rest) => Option.map(addressIn(rest), (address) => ({ kind: "destination", address }))],
  ["issuer", (rest) => Option.map(addressIn(rest), (address) => ({ kind: "issuer", address }))],
  ["asset", (rest) => Option.map(Option.filter(assetIn(rest), (asset) => asset !== native), (asset) => ({ kind: "asset", asset }))],
  ["claims", (rest) => Option.map(assetIn(rest), (asset) => ({ kind: "claims", asset }))],
  ["claim", (rest) => Option.map(balanceIn(rest), (balanceId) => ({ kind: "claim", balanceId }))],
  ["pool", (rest) => Option.map(poolIn(rest), (poolId) => ({ kind: "pool", poolId }))],
  ["token", (rest) => Option.map(contractIn(rest), (contract) => ({ kind: "token", contract }))],
  ["position", positionIn],
  ["positions", (rest) => Option.map(protocolIn(rest), (protocol) => ({ kind: "positions", protocol }))],
  ["positions_unread", (rest) => Option.map(protocolIn(rest), (protocol) => ({ kind: "positions_unread", protocol }))],
  ["allowance", allowanceIn],
  ["sponsorship", (rest) => (sponsored.test(rest) ? Option.some({ kind: "sponsorship", target: rest }) : Option.none())]
])

/** Ids that are kept: an account of a thousand lines is asked about each, and each is looked at for all of its options. */
const mostIds = 2_000

/** What an id is about; none when no decision could have such an id: another spelling of a subject is no id. */
export const subjectOf = remembered(mostIds, (id): Option.Option<DecisionSubject> => {
  const found = alone.get(id)
  if (found !== undefined) return Option.some(found)
  const colon = id.indexOf(":")
  const subject = colon < 0 ? undefined : subjects.get(id.slice(0, colon))?.(id.slice(colon + 1))
  return Option.filter(subject ?? Option.none(), (one) => decisionId(one) === id)
})

/** Of what kind an id is; null when no decision could have such an id. */
export const kindOf = (id: string): DecisionSubject["kind"] | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: ({ kind }) => kind })

/** The asset whose disposal an id is about; null for any other id. */
export const disposedAsset = (id: string): AssetId | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: (subject) => (subject.kind === "asset" ? subject.asset : null) })

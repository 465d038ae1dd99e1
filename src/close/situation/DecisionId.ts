import { Match, Option, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { AssetId, dashed, native } from "../../domain/Asset.ts"
import { DestinationAddress } from "../../domain/DestinationAddress.ts"
import { BalanceId, PoolId } from "../../domain/Ledger.ts"
import { positionIdOf } from "../../domain/Position.ts"
import { ProtocolName } from "../../domain/ProtocolName.ts"
import { textMemo } from "../../fibers/TextMemo.ts"
import type { SponsorshipTarget } from "../../operations/SponsorshipTarget.ts"

/** What a decision is about. Its id on the wire is made of it and read back into it here, and nowhere else. */
export type DecisionSubject =
  /** Whether the destination is the owner's own. */
  | { readonly _tag: "destination"; readonly address: DestinationAddress }
  /** Abandoning what the closing account issued. */
  | { readonly _tag: "issuer"; readonly address: AccountAddress }
  /** Disposing of a balance. */
  | { readonly _tag: "asset"; readonly asset: AssetId }
  /** Assets without a known buyer, decided together. */
  | { readonly _tag: "assets_unsellable" }
  /** Every claimable balance of one asset. */
  | { readonly _tag: "claims"; readonly asset: AssetId }
  /** One claimable balance. */
  | { readonly _tag: "claim"; readonly balanceId: BalanceId }
  /** All claimable balances without a known buyer, decided together. */
  | { readonly _tag: "claims_others" }
  /** More claimable balances than could be listed. */
  | { readonly _tag: "claims_unread" }
  /** Shares of a pool of the exchange. */
  | { readonly _tag: "pool"; readonly poolId: PoolId }
  /** A balance in a contract token. */
  | { readonly _tag: "token"; readonly contract: ContractAddress }
  /** All tokens that strangers sent and that nothing is known to buy. */
  | { readonly _tag: "tokens_others" }
  /** One position in a protocol; `key` tells it from others in the same contract. */
  | { readonly _tag: "position"; readonly protocol: ProtocolName; readonly contract: ContractAddress; readonly key: string }
  /** All positions of one protocol that others gave. */
  | { readonly _tag: "positions"; readonly protocol: ProtocolName }
  /** All positions that others gave and that nothing is known to buy. */
  | { readonly _tag: "positions_others" }
  /** What of a protocol cannot be read. */
  | { readonly _tag: "positions_unread"; readonly protocol: ProtocolName }
  /** What someone may take of a token; `spender` is in words where it cannot be made out, and then no answer can be about it. */
  | { readonly _tag: "allowance"; readonly token: string; readonly spender: string }
  /** An entry whose reserve the closing account pays. */
  | { readonly _tag: "sponsorship"; readonly target: SponsorshipTarget }
  /** What others add while the close is under way. */
  | { readonly _tag: "later" }

/** The id of a decision as the wire spells it. */
const decisionId: (subject: DecisionSubject) => string = Match.type<DecisionSubject>().pipe(
  Match.discriminatorsExhaustive("_tag")({
    destination: ({ address }) => `destination:${address}`,
    issuer: ({ address }) => `issuer:${address}`,
    asset: ({ asset }) => `asset:${dashed(asset)}`,
    assets_unsellable: () => "assets:unsellable",
    claims: ({ asset }) => `claims:${dashed(asset)}`,
    claim: ({ balanceId }) => `claim:${balanceId}`,
    claims_others: () => "claims:others",
    claims_unread: () => "claims_unread",
    pool: ({ poolId }) => `pool:${poolId}`,
    token: ({ contract }) => `token:${contract}`,
    tokens_others: () => "tokens:others",
    position: positionIdOf,
    positions: ({ protocol }) => `positions:${protocol}`,
    positions_others: () => "positions:others",
    positions_unread: ({ protocol }) => `positions_unread:${protocol}`,
    allowance: ({ spender, token }) => `allowance:${token}:${spender}`,
    sponsorship: ({ target }) => `sponsorship:${target}`,
    later: () => "later"
  })
)

/** The subjects of one kind. */
export type SubjectOf<Tag extends DecisionSubject["_tag"]> = Extract<DecisionSubject, { readonly _tag: Tag }>

/** The ids of decisions by their subjects: where a decision point is made, its id comes from here. */
export const DecisionId = {
  of: decisionId,
  destination: (address: DestinationAddress): string => decisionId({ _tag: "destination", address }),
  issuer: (address: AccountAddress): string => decisionId({ _tag: "issuer", address }),
  asset: (asset: AssetId): string => decisionId({ _tag: "asset", asset }),
  unsellableAssets: decisionId({ _tag: "assets_unsellable" }),
  claims: (asset: AssetId): string => decisionId({ _tag: "claims", asset }),
  claim: (balanceId: BalanceId): string => decisionId({ _tag: "claim", balanceId }),
  otherClaims: decisionId({ _tag: "claims_others" }),
  unreadClaims: decisionId({ _tag: "claims_unread" }),
  pool: (poolId: PoolId): string => decisionId({ _tag: "pool", poolId }),
  token: (contract: ContractAddress): string => decisionId({ _tag: "token", contract }),
  otherTokens: decisionId({ _tag: "tokens_others" }),
  position: ({ contract, key, protocol }: Omit<SubjectOf<"position">, "_tag">): string =>
    decisionId({ _tag: "position", protocol, contract, key }),
  positions: (protocol: ProtocolName): string => decisionId({ _tag: "positions", protocol }),
  otherPositions: decisionId({ _tag: "positions_others" }),
  unreadPositions: (protocol: ProtocolName): string => decisionId({ _tag: "positions_unread", protocol }),
  allowance: ({ spender, token }: Omit<SubjectOf<"allowance">, "_tag">): string => decisionId({ _tag: "allowance", token, spender }),
  sponsorship: (target: SponsorshipTarget): string => decisionId({ _tag: "sponsorship", target }),
  later: decisionId({ _tag: "later" }),
  /** The id of the decision point about a missing destination. No answer can have it. */
  unnamedDestination: "destination"
} as const

/** Subjects of which a close has one: their ids name nothing. */
const singletons: ReadonlyMap<string, DecisionSubject> = new Map(
  (["assets_unsellable", "claims_others", "claims_unread", "positions_others", "tokens_others", "later"] as const).map((
    _tag
  ) => [decisionId({ _tag }), { _tag }])
)

const addressIn = Schema.decodeUnknownOption(AccountAddress)
const destinationIn = Schema.decodeUnknownOption(DestinationAddress)
const contractIn = Schema.decodeUnknownOption(ContractAddress)
const protocolIn = Schema.decodeUnknownOption(ProtocolName)
const balanceIn = Schema.decodeUnknownOption(BalanceId)
const poolIn = Schema.decodeUnknownOption(PoolId)
const assetNamed = Schema.decodeUnknownOption(AssetId)
const assetIn = (text: string): Option.Option<AssetId> => assetNamed(text.replace("-", ":"))

/** A token contract, and who may spend of it. */
const allowancePattern = /^(C[A-Z2-7]{55}):([CG][A-Z2-7]{55})$/
const sponsorshipPattern = /^(account|trustline|offer|data_entry|signer|claimable_balance):.+$/s

const allowanceIn = (rest: string): Option.Option<DecisionSubject> => {
  const [, token, spender] = allowancePattern.exec(rest) ?? []
  return token === undefined || spender === undefined ? Option.none() : Option.some({ _tag: "allowance", token, spender })
}

const positionIn = (rest: string): Option.Option<DecisionSubject> => {
  const [protocol = "", contract = "", ...key] = rest.split(":")
  return key.length === 0 ? Option.none() : Option.zipWith(
    protocolIn(protocol),
    contractIn(contract),
    (named, address) => ({ _tag: "position", protocol: named, contract: address, key: key.join(":") })
  )
}

/** What follows the first colon of an id, by what precedes it. */
const subjects: ReadonlyMap<string, (rest: string) => Option.Option<DecisionSubject>> = new Map<
  string,
  (rest: string) => Option.Option<DecisionSubject>
>([
  ["destination", (rest) => Option.map(destinationIn(rest), (address) => ({ _tag: "destination", address }))],
  ["issuer", (rest) => Option.map(addressIn(rest), (address) => ({ _tag: "issuer", address }))],
  ["asset", (rest) => Option.map(Option.filter(assetIn(rest), (asset) => asset !== native), (asset) => ({ _tag: "asset", asset }))],
  ["claims", (rest) => Option.map(assetIn(rest), (asset) => ({ _tag: "claims", asset }))],
  ["claim", (rest) => Option.map(balanceIn(rest), (balanceId) => ({ _tag: "claim", balanceId }))],
  ["pool", (rest) => Option.map(poolIn(rest), (poolId) => ({ _tag: "pool", poolId }))],
  ["token", (rest) => Option.map(contractIn(rest), (contract) => ({ _tag: "token", contract }))],
  ["position", positionIn],
  ["positions", (rest) => Option.map(protocolIn(rest), (protocol) => ({ _tag: "positions", protocol }))],
  ["positions_unread", (rest) => Option.map(protocolIn(rest), (protocol) => ({ _tag: "positions_unread", protocol }))],
  ["allowance", allowanceIn],
  ["sponsorship", (rest) => (sponsorshipPattern.test(rest) ? Option.some({ _tag: "sponsorship", target: rest }) : Option.none())]
])

/** Parsed ids in the cache (LRU): an account of a thousand trustlines has a decision point about each, with several options. */
const mostIds = 2_000

/** What an id is about; none when no decision could have such an id: another spelling of a subject is no id. */
export const subjectOf = textMemo(mostIds, (id): Option.Option<DecisionSubject> => {
  const found = singletons.get(id)
  if (found !== undefined) return Option.some(found)
  const colon = id.indexOf(":")
  const subject = colon < 0 ? undefined : subjects.get(id.slice(0, colon))?.(id.slice(colon + 1))
  return Option.filter(subject ?? Option.none(), (one) => decisionId(one) === id)
})

/** The kind of subject an id is about; null when no decision could have such an id. */
export const subjectTag = (id: string): DecisionSubject["_tag"] | null =>
  Option.match(subjectOf(id), { onNone: () => null, onSome: ({ _tag }) => _tag })

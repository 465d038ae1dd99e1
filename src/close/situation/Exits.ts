import type { xdr } from "@stellar/stellar-sdk"
import { HashSet } from "effect"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Decision } from "../../domain/Decision.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { type Exit, type HeldPosition, type Reward, unitsOf, type Unrecognized } from "../../protocols/ProtocolRegistry.ts"
import type { TokenRoute } from "../../tokens/TokenRoutes.ts"
import type { Allowance } from "./AllowanceLeft.ts"
import { netOf } from "./Moved.ts"
import { noHistory, type OwnTransactions } from "./OwnTransactions.ts"
import { bought, called, type Done } from "./Progress.ts"
import type { JudgedClaims, RewardFacts } from "./RewardJudge.ts"
import type { TokenAssets } from "./TokenAssets.ts"

/** What a simulated call does to the closing account's lumens and trustlines, in stroops; negative: it pays. */
export type Credits = ReadonlyMap<AssetId, bigint>

/** The result of simulating the next call of a position. */
export type CallSimulation =
  /** It can be handed over: resources with all leeway, and the agreements it asks for, compared with what it declared. */
  | {
    readonly _tag: "Ready"
    readonly resources: xdr.SorobanTransactionData
    readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
    readonly credits: Credits
    /** Everything that it does to the ledger. */
    readonly changes: ReadonlyArray<StateChange>
    /** The ledger it was simulated on. */
    readonly ledger: number
  }
  /** Archived entries must be restored first. */
  | { readonly _tag: "Restore"; readonly resources: xdr.SorobanTransactionData; readonly ledger: number }
  /** It fails, in the words of the host. */
  | { readonly _tag: "Failed"; readonly reason: string }
  /** It fails, and its protocol knows why: the ledger went on while it was read, as often as it was read again. In the contract's words. */
  | { readonly _tag: "Changed"; readonly reason: string }
  /** The same: a waiting time is not over. */
  | { readonly _tag: "TooEarly" }
  /** The same: it takes more of a token than can be spent, base units. */
  | { readonly _tag: "Short"; readonly token: ContractAddress; readonly needed: bigint; readonly held: bigint }
  /** The same: it pays an asset for which there is no trustline, no authorisation or no room. */
  | { readonly _tag: "CannotReceive"; readonly asset: AssetId }
  /** The same: the contract refuses, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
  /** It would do more than it declared. */
  | { readonly _tag: "Unsafe"; readonly reason: string }
  /** It would succeed and bring the position no closer to its end, so that it would be made again and again. */
  | { readonly _tag: "Endless" }
  /** Its resource fee (stroops) is above what the settings allow, or the owner accepted by name. */
  | { readonly _tag: "TooDear"; readonly resourceFee: bigint }
  /** There are so many that its turn did not come in time: whether it can be made, and for what, is not known yet. */
  | { readonly _tag: "Unreached" }

/** What is known of shares that others can give unasked. */
export interface GiftedShares {
  /** Whether all of them came after the plan that the owner's `later` answers, or since the account left what that plan saw. */
  readonly cameLater: boolean
  /** Whether that plan saw the position, and the account has not left it since. Without such an answer: false. */
  readonly wasSeen: boolean
  /** Whether the account left the position after that plan: an answer about it has done its work. */
  readonly leftSince: boolean
}

/** A position, and how it is left. */
export interface PlannedExit {
  /** Its decision. */
  readonly id: string
  readonly position: HeldPosition
  readonly answer: Decision | undefined
  readonly exit: Exclude<Exit, { readonly _tag: "Further" }>
  /** Its claims, as they were judged. */
  readonly claims: JudgedClaims
  /** Of its first call; null where it cannot be simulated yet, or need not be. */
  readonly simulation: CallSimulation | null
  /** Of the claims that come once the position was left, by their functions, simulated before that; those that lack a trustline are left out. */
  readonly lastClaims: ReadonlyMap<string, CallSimulation>
  /** Others can give it; left out: only its owner can open it. */
  readonly gift?: GiftedShares
  /** What becomes of one that others can give; left out: it is left like any other, by default. */
  readonly standing?:
    /** Left behind: it came after the ledger that the owner answered for. */
    | { readonly _tag: "Later" }
    /** Only its rewards are claimed: the account left it, and its present shares came later. */
    | { readonly _tag: "Rewards" }
    /** Not decided, and why it is not left unasked; `group`: the question that asks about it together with others. */
    | { readonly _tag: "Open"; readonly reason: string; readonly group: string | null }
    /** Decided by name, where it would not have been left unasked. */
    | { readonly _tag: "Named"; readonly reason: string }
    /** Decided together with others. */
    | { readonly _tag: "Grouped"; readonly group: string }
  /** What would be called once a debt that cannot be paid now can be; empty where something else blocks the exit. */
  readonly foreseen: ReadonlyArray<ContractCall>
}

/** A protocol of which something held could not be made sense of. Asking again changes nothing. */
export interface Unreadable {
  readonly protocol: ProtocolName
  readonly items: ReadonlyArray<Unrecognized>
  /** Why its decoder as a whole failed; null when it named items. */
  readonly reason: string | null
  /** What could not be read, sorted; every contract of the protocol where its decoder as a whole failed. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Ledgers in which unknown contracts may have been deployed; null where there are none, or none can hold anything of the account's. */
  readonly gap: LedgerGap | null
}

/** Ways to buy what is missing for a debt with one asset. */
export interface PurchaseWays {
  readonly spend: AssetId
  readonly routes: ReadonlyArray<ReadonlyArray<AssetId>>
}

/** Everything held in protocols, as a close sees it. */
export interface Exits {
  /** In the order in which they are left: what pays an asset that another owes comes first. */
  readonly planned: ReadonlyArray<PlannedExit>
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly assets: TokenAssets
  /** Contract tokens that the account holds or has a decision point about: what positions pay of them is sold like any other token. */
  readonly carried: ReadonlySet<ContractAddress>
  /** Stroops a contract transaction bids to get into a ledger, besides its resource fee. */
  readonly inclusionFee: bigint
  /** Stroops of resource fee that a call may declare without its owner's word. */
  readonly mostResourceFee: bigint
  /** Ways on the books to sell what positions pay that others can give. */
  readonly giftRoutes: ReadonlyMap<AssetId, ReadonlyArray<ReadonlyArray<AssetId>>>
  /** Ways through contracts to sell the same, by the token that is paid. */
  readonly giftContractRoutes: ReadonlyMap<ContractAddress, TokenRoute>
  /** Tokens that positions pay which others can give, and that there was no room to quote. */
  readonly unquotedGifts: ReadonlySet<ContractAddress>
  /** Decisions of positions for which lumens do not suffice, as far as the close was played through; empty before that. */
  readonly stuck: ReadonlySet<string>
  /** What contracts that hold positions may still take from the account. */
  readonly allowances: ReadonlyArray<Allowance>
  /** What the account did lately, as far as anything here rests on it. */
  readonly history: OwnTransactions
  /** Ways to buy what debts lack, by the decision of the position; the means that come first are preferred. */
  readonly purchases: ReadonlyMap<string, ReadonlyArray<PurchaseWays>>
  /** Ways to sell what a trade hands over, by the decision of the position. */
  readonly trades: ReadonlyMap<string, ReadonlyArray<ReadonlyArray<AssetId>>>
  /** Books and pools that those ways meet. */
  readonly marketEntries: ReadonlyArray<xdr.LedgerEntry>
  /** Contracts that would be handed something, and that one source alone names (`DoubtfulContracts.ts`). */
  readonly unnamed: ReadonlySet<ContractAddress>
  /** What rewards are judged by; null: nothing has been earned. */
  readonly rewardFacts: RewardFacts | null
  /** Contracts whose code someone else keeps (CAP-85). */
  readonly referred: ReadonlySet<ContractAddress>
}

/** Nothing is held in any protocol. */
export const noExits: Exits = {
  planned: [],
  unreadable: [],
  assets: new Map(),
  carried: new Set(),
  inclusionFee: 0n,
  mostResourceFee: 0n,
  stuck: new Set(),
  allowances: [],
  history: noHistory,
  purchases: new Map(),
  trades: new Map(),
  giftRoutes: new Map(),
  giftContractRoutes: new Map(),
  unquotedGifts: new Set(),
  marketEntries: [],
  unnamed: new Set(),
  rewardFacts: null,
  referred: new Set()
}

/** The classic assets among tokens, lumens left out: those that need a trustline. */
export const classicAssetsOf = ({ assets }: Pick<Exits, "assets">, tokens: ReadonlyArray<ContractAddress>): ReadonlyArray<AssetId> => [
  ...new Set(tokens.flatMap((token) => assets.get(token) ?? []).filter((asset) => asset !== "native"))
]

/** Tokens that leaving a position may pay, its rewards among them unless they stay behind. */
export const paidTokens = (one: PlannedExit): ReadonlyArray<ContractAddress> => {
  const behind = new Set(declinesRewards(one) ? givenUpRewards(one) : leftUnasked(one))
  return [...one.position.pays, ...(one.position.rewards ?? []).filter((reward) => !behind.has(reward)).map(({ token }) => token)]
}

/** The calls that are still to be made for a position, as far as they are foreseen. */
export const callsOf = (
  { exit, foreseen }: Pick<PlannedExit, "exit" | "foreseen">
): ReadonlyArray<ContractCall> => (exit._tag === "Calls" ? exit.calls : foreseen)

const shortOf = ({ exit }: PlannedExit): ContractAddress | null =>
  exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort" ? exit.refusal.token : null

/** Other exits whose calls pay more of the token that a debt needs than they take. */
const feedersOf = (exits: Pick<Exits, "planned">, one: PlannedExit): ReadonlyArray<PlannedExit> => {
  const lacks = shortOf(one)
  return lacks === null ?
    [] :
    toBeLeft(exits).filter((other) => other !== one && other.exit._tag === "Calls" && netOf(other.exit.calls, lacks) > 0n)
}

/** Whether the owner leaves a position behind by name. */
export const isForfeited = ({ answer }: PlannedExit): boolean => answer?.choice === "acknowledge_forfeit"

/** Whether the owner leaves a position without claiming its rewards, by name. */
export const declinesRewards = ({ answer }: PlannedExit): boolean => answer?.choice === "exit_without_rewards"

/** Every reward that is not paid yet, however little: the owner may say that it stays behind. */
export const unclaimed = ({ position: { rewards = [] } }: PlannedExit): ReadonlyArray<Reward> => rewards.filter(({ amount }) => amount > 0n)

/** Rewards that are worth a claim: there is a choice about them. */
export const claimable = (one: PlannedExit): ReadonlyArray<Reward> => unclaimed(one).filter(({ claim }) => !one.claims.left.has(claim))

/** Whether one of the calls of an exit claims a reward. */
const isClaimedBy = (one: PlannedExit, { claim }: Reward): boolean =>
  callsOf(one).some((call) => call.claimsOnly === true && call.function === claim)

/** Rewards that stay behind although no answer declined them: no call of the exit claims them, or pays them on the way. */
export const leftUnasked = (one: PlannedExit): ReadonlyArray<Reward> =>
  declinesRewards(one) || one.exit._tag === "Refused"
    ? []
    : unclaimed(one).filter((reward) => !isPaidAnyway(reward) && !isClaimedBy(one, reward))

const isPaidAnyway = ({ comesAlong = false }: Reward): boolean => comesAlong

/**
 * What exit_without_rewards gives up of the rewards that were read: those that cannot be claimed now, where there are such, or where others
 * could not be read; else all that leaving does not pay anyway.
 */
export const givenUpRewards = (one: PlannedExit): ReadonlyArray<Reward> => {
  const all = unclaimed(one).filter((reward) => !isPaidAnyway(reward))
  const heldUp = all.filter((reward) => reward.heldUp !== undefined)
  return heldUp.length > 0 || one.position.rewardsUnread === true ? heldUp : all
}

/** Whether giving up rewards is a way out that the owner has not taken yet. */
export const mayGiveUpRewards = (one: PlannedExit): boolean =>
  !declinesRewards(one) && (one.position.rewardsUnread === true || claimable(one).some((reward) => !isPaidAnyway(reward)))

/** Whether a position stays where it is, as far as is decided: it came later, or its owner has not said yet what becomes of it. */
const staysUndecided = ({ standing }: PlannedExit): boolean => standing?._tag === "Later" || standing?._tag === "Open"

/** Exits that something remains to be done for. */
export const toBeLeft = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<PlannedExit> =>
  planned.filter((one) => !isForfeited(one) && !staysUndecided(one) && one.exit._tag !== "Gone")

/** The largest amount of a token, base units. */
export const largestUnits = (1n << 127n) - 1n

/** Whether leaving another position pays the token that a debt needs: that one then goes first, and the debt is read again. */
export const isFed = (exits: Pick<Exits, "planned">, one: PlannedExit): boolean => feedersOf(exits, one).length > 0

/** What a debt will still lack when what pays it first is left; base units, negative: there is more than enough. Null where nothing pays it. */
export const lackingOnceFed = (
  exits: Pick<Exits, "planned">,
  one: PlannedExit
): { readonly token: ContractAddress; readonly units: bigint } | null => {
  const feeders = feedersOf(exits, one)
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || feeders.length === 0) return null
  const { held, needed, token } = one.exit.refusal
  // What others take before it is not in what it has.
  return { token, units: feeders.reduce((left, feeder) => left - netOf(callsOf(feeder), token), needed - held) }
}

/** Whether a debt that could not be paid when it was read can be after these moves of a projection. */
export const isCovered = (exits: Pick<Exits, "planned">, one: PlannedExit, done: Done): boolean => {
  if (HashSet.has(done, bought(one))) return true
  const lacking = lackingOnceFed(exits, one)
  return lacking !== null && lacking.units <= 0n &&
    feedersOf(exits, one).every((feeder) => callsOf(feeder).every((_, index) => HashSet.has(done, called(feeder, index))))
}

/** Base units of everything in a position: what a forfeit gives up at most. */
export const forfeitedUnits = ({ position }: PlannedExit): bigint => unitsOf(position)

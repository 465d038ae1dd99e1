import type { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { Unrecognized } from "../../protocols/ProtocolRegistry.ts"
import type { TokenRoute } from "../../tokens/TokenRoutes.ts"
import type { Allowance } from "./AllowanceLeft.ts"
import { noHistory, type OwnTransactions } from "./OwnTransactions.ts"
import { isForfeited, type PlannedExit } from "./PlannedExit.ts"
import type { RewardFacts } from "./RewardJudge.ts"
import type { TokenAssets } from "./TokenAssets.ts"

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

/** Whether a position stays where it is, as far as is decided: it came later, or its owner has not said yet what becomes of it. */
const staysUndecided = ({ giftState }: PlannedExit): boolean => giftState?._tag === "Later" || giftState?._tag === "Open"

/** Exits that something remains to be done for. */
export const toBeLeft = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<PlannedExit> =>
  planned.filter((one) => !isForfeited(one) && !staysUndecided(one) && one.exit._tag !== "Gone")

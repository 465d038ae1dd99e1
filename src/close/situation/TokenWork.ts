import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Decision } from "../../domain/Decision.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { HeldToken } from "../../tokens/HeldToken.ts"
import type { TokenRoute } from "../../tokens/TokenRoutes.ts"
import type { Allowance } from "./AllowanceLeft.ts"
import type { AnswerFailure } from "./AnswerFailure.ts"
import type { CallSimulation } from "./CallSimulation.ts"
import { noHistory, type OwnTransactions } from "./OwnTransactions.ts"

/** How a token is decided. */
export type TokenFate =
  /** By a question of its own. */
  | "asked"
  /** Together with others (`tokens:others`). */
  | "grouped"
  /** Not at all: it came after the ledger that the owner answered for, and is left behind. */
  | "later"

/** What a conversion brings as of the books or pools that were read, and what it must bring at least; stroops, nothing of both for what is not sold. */
export interface TokenPrice {
  readonly receive: bigint
  readonly floor: bigint
  /** The least that the operation or call itself accepts, which may be more than was agreed. */
  readonly least: bigint
}

export const noPrice: TokenPrice = { receive: 0n, floor: 0n, least: 0n }

/** How an amount of a token leaves the account by its owner's answer. */
export interface TokenDisposal {
  /** Null: none is made, because the token stays, or is not decided, or what was agreed cannot be done. */
  readonly call: ContractCall | null
  readonly price: TokenPrice
  readonly failure: AnswerFailure | null
}

/** A contract token that is held or will arrive, and what becomes of it. */
export interface PlannedToken {
  /** Its decision. */
  readonly id: string
  readonly token: HeldToken
  readonly answer: Decision | undefined
  readonly fate: TokenFate
  /** What is disposed of, base units: what is held, and what leaving positions is expected to pay of it. */
  readonly amount: bigint
  /** Whether positions still pay it or owe it: then it leaves after them, and what its answer fits is seen when they are left. */
  readonly waits: boolean
  /** The best way to lumens for all of it; null: there is none. */
  readonly route: TokenRoute | null
  readonly disposal: TokenDisposal
  /** Of its call; null where there is none, or it waits. */
  readonly simulation: CallSimulation | null
}

/** An asset of the ledger that its owner sells through contracts, where they pay more than its books. */
export interface PlannedSale {
  /** Its decision. */
  readonly id: string
  readonly asset: AssetId
  /** The contract of the asset. */
  readonly contract: ContractAddress
  readonly answer: Decision
  /** What its trustline holds and what leaving positions is expected to pay into it, stroops. */
  readonly amount: bigint
  /** Whether positions still need it, or offers hold some of it: then it leaves after them. */
  readonly waits: boolean
  readonly route: TokenRoute | null
  readonly disposal: TokenDisposal
  readonly simulation: CallSimulation | null
}

/** A token contract whose balance cannot be read, even after retries. */
export interface UnreadableToken {
  readonly id: string
  readonly contract: ContractAddress
  readonly answer: Decision | undefined
  readonly fate: TokenFate
}

/** An allowance that is live, and what becomes of it. */
export interface PlannedAllowance {
  readonly id: string
  readonly allowance: Allowance
  readonly answer: Decision | undefined
  /** What ends it; null: it is kept. */
  readonly call: ContractCall | null
  readonly simulation: CallSimulation | null
}

/** Contract work beside positions: tokens and allowances, as a close sees them. */
export interface TokenWork {
  readonly tokens: ReadonlyArray<PlannedToken>
  /** Assets of the ledger that are sold through contracts. */
  readonly sales: ReadonlyArray<PlannedSale>
  /** The best way through contracts for what trustlines hold that are not decided yet. */
  readonly assetRoutes: ReadonlyMap<AssetId, TokenRoute>
  /**
   * By asset, the amounts, stroops, for which ways through contracts were searched. Any other amount may have a buyer there. Null: no
   * protocol has pools, or nothing was searched yet.
   */
  readonly searchedAmounts: ReadonlyMap<AssetId, ReadonlyArray<bigint>> | null
  readonly unreadable: ReadonlyArray<UnreadableToken>
  readonly allowances: ReadonlyArray<PlannedAllowance>
  /** What the account did lately, where a call rests on it. */
  readonly history: OwnTransactions
}

/** Nothing is held in contract tokens, and there are no allowances. */
export const noTokenWork: TokenWork = {
  tokens: [],
  sales: [],
  assetRoutes: new Map(),
  searchedAmounts: null,
  unreadable: [],
  allowances: [],
  history: noHistory
}

/** Whether a way to lumens matters: there is some, and someone has to decide, or decided to sell. */
export const isQuoted = ({ amount, answer }: Pick<PlannedToken, "amount" | "answer">): boolean =>
  amount > 0n && (answer === undefined || answer.choice === "convert_to_native")

/** Whether a token's own answer leaves it behind. */
export const isGivenUp = ({ answer }: Pick<PlannedToken, "answer">): boolean => answer?.choice === "acknowledge_residue"

/** Whether only strangers may have named a token: anyone can deploy a contract that emits transfer events. */
const isNamedByStrangers = ({ sources }: Pick<HeldToken, "sources">): boolean =>
  sources.every((source) => source === "events" || source === "explorer")

/** Whether a token may share a decision point with others: strangers may have sent it, and no known buyer. */
export const mayBeGrouped = (
  { answer, route, token }: Pick<PlannedToken, "answer" | "route" | "token">
): boolean => answer === undefined && route === null && isNamedByStrangers(token)

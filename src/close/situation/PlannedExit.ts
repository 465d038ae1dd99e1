import type { Decision } from "../../domain/Decision.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { type Exit, type HeldPosition, unitsOf } from "../../protocols/ProtocolRegistry.ts"
import type { CallSimulation } from "./CallSimulation.ts"
import type { JudgedClaims } from "./RewardJudge.ts"

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
  readonly giftState?:
    /** Left behind: it came after the ledger that the owner answered for. */
    | { readonly _tag: "Later" }
    /** Only its rewards are claimed: the account left it, and its present shares came later. */
    | { readonly _tag: "Rewards" }
    /** Not decided, and why it is not left unasked; `group`: the question about it and others. */
    | { readonly _tag: "Open"; readonly reason: string; readonly group: string | null }
    /** Decided by name, where it would not have been left unasked. */
    | { readonly _tag: "Named"; readonly reason: string }
    /** Decided together with others. */
    | { readonly _tag: "Grouped"; readonly group: string }
  /** What would be called once a debt that cannot be paid now can be; empty where something else blocks the exit. */
  readonly foreseen: ReadonlyArray<ContractCall>
}

/** The calls that are still to be made for a position, as far as they are foreseen. */
export const callsOf = (
  { exit, foreseen }: Pick<PlannedExit, "exit" | "foreseen">
): ReadonlyArray<ContractCall> => (exit._tag === "Calls" ? exit.calls : foreseen)

/** Whether the owner leaves a position behind by name. */
export const isForfeited = ({ answer }: PlannedExit): boolean => answer?.choice === "acknowledge_forfeit"

/** Base units of everything in a position: what a forfeit gives up at most. */
export const forfeitedUnits = ({ position }: PlannedExit): bigint => unitsOf(position)

import { issued } from "../../domain/Asset.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { StepType } from "../../domain/Plan.ts"
import type { PlannedStep } from "../situation/AtomicGroup.ts"
import type { Moves } from "../situation/Moved.ts"
import { codeOf, spokenAmounts, type TokenNames } from "../situation/SpokenAmount.ts"

/** Steps of one kind that a plan shows as one. */
export interface StepsAlike {
  readonly first: PlannedStep
  readonly count: number
  readonly operations: number
  readonly moves: Moves
}

/** What becomes of an asset that a step disposes of. */
export const disposalWay = ({ operations }: PlannedStep): "sold" | "returned" | "transferred" => {
  const [operation] = operations
  if (operation?.type !== "payment") return "sold"
  return issued(operation.asset)?.issuer === operation.destination ? "returned" : "transferred"
}

const disposal = ({ count, first, moves: { pays, takes } }: StepsAlike, names: TokenNames): string => {
  const amounts = spokenAmounts(takes, names)
  const parts = count > takes.length ? ` in ${count} parts` : ""
  switch (disposalWay(first)) {
    case "sold":
      return `Sell ${amounts}${parts} for about ${spokenAmounts(pays, names)}`
    case "returned":
      return `Return ${amounts}${parts} to ${takes.length === 1 ? "its issuer" : "their issuers"}`
    case "transferred":
      return `Transfer ${amounts}${parts} to other accounts`
  }
}

const ofAsset = ({ asset }: PlannedStep): string => (asset === undefined ? "" : ` to ${codeOf(asset)}`)

const titles: Partial<Record<StepType, (alike: StepsAlike, names: TokenNames) => string>> = {
  CANCEL_OFFERS: ({ count }) => `Cancel ${count} offers`,
  REMOVE_DATA_ENTRIES: ({ count }) => `Remove ${count} data entries`,
  CLAIM_BALANCES: ({ count, moves }, names) => `Claim ${count} balances of ${spokenAmounts(moves.pays, names)}`,
  WITHDRAW_POOL_SHARES: ({ count, moves }, names) => `Withdraw ${spokenAmounts(moves.pays, names)} from ${count} pools`,
  HANDLE_ASSETS: disposal,
  REVOKE_SPONSORSHIP: ({ count }) => `Stop ${count} sponsorships`
}

/** What several steps of one kind are called together; the lines are to one asset where `isOneAsset`. */
export const titleOfMany = (alike: StepsAlike, names: TokenNames, isOneAsset: boolean): string => {
  const { count, first, operations } = alike
  if (first.type === "ADD_TRUSTLINE") {
    return isOneAsset
      ? `Add a trustline${ofAsset(first)} ${count} times`
      : `Add or raise ${count} trustlines`
  }
  if (first.type === "REMOVE_TRUSTLINES") {
    return isOneAsset ? `Remove the trustline${ofAsset(first)} ${count} times` : `Remove ${count} trustlines`
  }
  return titles[first.type]?.(alike, names) ?? `${first.title}, and ${count - 1} more alike (${counted(operations, "operation")})`
}

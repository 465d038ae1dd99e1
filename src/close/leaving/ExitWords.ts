import type { ContractCall } from "../../operations/ContractCall.ts"
import type { Moves } from "../situation/Moved.ts"
import { spokenAmounts, type TokenNames } from "../situation/SpokenAmount.ts"

/** What a call that leaves a position is called, by what it moves. */
export const exitTitle = (
  place: string,
  { claimsOnly = false, function: name }: Pick<ContractCall, "claimsOnly" | "function">,
  { pays, takes }: Moves,
  names: TokenNames
): string => {
  const [paid, taken] = [spokenAmounts(pays, names), spokenAmounts(takes, names)]
  if (paid === "" && taken === "") return `Leave ${place}: ${name}`
  if (paid === "") return `Pay ${taken} to ${place}`
  if (taken !== "") return `Pay ${taken} to ${place} for ${paid}`
  return `${claimsOnly ? "Claim" : "Withdraw"} ${paid} from ${place}`
}

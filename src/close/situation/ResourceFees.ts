import { BigInt as Big } from "effect"
import type { Decision } from "../../domain/Decision.ts"
import type { Exits } from "./Exits.ts"
import { largestResourceFee } from "./FeeSettings.ts"
import { simulatedFee, simulationsOf } from "./LastClaim.ts"
import type { PlannedExit } from "./PlannedExit.ts"

/** Stroops of resource fee that may be declared for a position: what the settings allow, or what its owner accepts by name. */
export const acceptedFee = (answer: Decision | undefined, setting: bigint): bigint => {
  const named = answer?.params?.maxResourceFee ?? 0n
  return Big.max(named, setting)
}

/**
 * Stroops of resource fee of the next call of a position, or of a claim that comes last, where that is more than the settings allow;
 * null: it is not, as far as is known.
 */
export const dearFee = (
  { mostResourceFee }: Pick<Exits, "mostResourceFee">,
  one: Pick<PlannedExit, "lastClaims" | "simulation">
): bigint | null => {
  const fees = simulationsOf(one).flatMap((told) => simulatedFee(told) ?? []).filter((fee) => fee > mostResourceFee)
  return fees.reduce<bigint | null>((most, fee) => (most === null ? fee : Big.max(most, fee)), null)
}

/** What the resource fee may rise by until the call is built: a tenth. */
export const withRise = (fee: bigint): bigint => Big.min(fee + fee / 10n + 1n, largestResourceFee)

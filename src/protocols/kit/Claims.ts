import type { ExitContext } from "../Exit.ts"

/** Whether what a claim pays is worth its call, as the close judged it. */
export const isWorthClaiming = ({ claimsLeft }: Pick<ExitContext, "claimsLeft">, claim: string): boolean => claimsLeft?.has(claim) !== true

/** Whether a claim is made at all: it is worth its call, and its rewards are not declined. */
export const isClaimed = (context: Pick<ExitContext, "claimsLeft" | "withoutRewards">, claim: string): boolean =>
  !context.withoutRewards && isWorthClaiming(context, claim)

/** Whether a claim is made while the position is still held: it was not made lately. */
export const isClaimedFirst = (context: Pick<ExitContext, "claimsLeft" | "claimsMade" | "withoutRewards">, claim: string): boolean =>
  isClaimed(context, claim) && context.claimsMade?.has(claim) !== true

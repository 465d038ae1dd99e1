/**
 * Stroops that may stay with the mediator beyond what its payment covers: a hundredth of a lumen. Strangers can send an account a
 * stroop in every ledger, and none of them may stop its close.
 */
const most = 100_000n

/** Whether an account may hold so many stroops more than a payment covers. It never may hold less. */
export const isResidue = (excess: bigint): boolean => excess >= 0n && excess <= most

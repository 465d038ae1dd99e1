import { stroops } from "../../domain/Amount.ts"
import { BelowAcceptedMinimum } from "../../domain/failure/Planning.ts"
import { type LumensAhead, lumensAhead } from "../project/MinReceived.ts"
import type { Projection } from "../project/Projection.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { slippageOf } from "../situation/Slippage.ts"

/** Whether the last transaction of a projection merges the account. */
export const isPlayedToItsEnd = ({ merges, transactions }: Projection): boolean => {
  const last = transactions.at(-1)
  return merges && last !== undefined && succeeded(last.applied.result)
}

/** What the rest of a close brings; null where nothing was accepted, or the projection does not reach the merge. */
const aheadOf = (situation: Situation, projected: Projection): LumensAhead | null =>
  situation.input.accept === null || !isPlayedToItsEnd(projected) ? null : lumensAhead(situation, projected)

/** The refusal of a close that brings less than was accepted; null where it does not, or it is not known yet what it brings. */
export const belowAccepted = (situation: Situation, projected: Projection): BelowAcceptedMinimum | null => {
  const accepted = situation.input.accept?.minReceivedLumens
  const current = aheadOf(situation, projected)?.current
  if (accepted === undefined || current === undefined || current >= accepted) return null
  return new BelowAcceptedMinimum({ accepted, current: stroops(current < 0n ? 0n : current) })
}

/**
 * Slippages to try, basis points, so that floors guarantee the accepted amount: as much of the request's as the quotes leave room for, and less.
 * None where the floors guarantee it, or the quotes themselves are below it.
 */
export const tighterSlippages = (situation: Situation, projected: Projection): ReadonlyArray<number> => {
  const { accept } = situation.input
  const ahead = aheadOf(situation, projected)
  if (accept === null || ahead === null) return []
  const [room, slack] = [ahead.current - accept.minReceivedLumens, ahead.current - ahead.guaranteed]
  if (room < 0n || slack <= room) return []
  const bps = Number((BigInt(slippageOf(situation.input)) * room) / slack)
  return [...new Set([bps, Math.floor(bps / 2), 0])]
}

import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../situation/Gate.ts"
import { holdingsIn } from "../situation/Holdings.ts"

/** A pool share whose pool could not be read cannot be withdrawn, and not be left behind. */
export const pools: Gate = ({ input, snapshot: { state }, ledgerState }) => {
  const readable = new Set(holdingsIn(ledgerState, input.source)?.poolShares.map(({ poolId }) => poolId))
  return state.poolShares
    .filter(({ poolId }) => !readable.has(poolId))
    .map(({ poolId }) => ({ failure: null, shown: blocker("pool_unreadable", `The liquidity pool ${poolId} could not be read.`, poolId) }))
}

import { stroops } from "../../domain/Amount.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { poolShareName } from "../../operations/ChangeTrust.ts"
import { poolDecision } from "../DecisionId.ts"
import type { PoolShare } from "../Holdings.ts"
import { floorOf } from "../Slippage.ts"
import type { Step } from "../Step.ts"
import { type Task, unit } from "../Unit.ts"

const pointOf = ({ poolId }: PoolShare, slippage: number, answered: boolean): DecisionPoint => ({
  id: poolDecision(poolId),
  type: "pool",
  subject: `Shares in the liquidity pool ${poolId}`,
  options: [{ id: "withdraw", recommended: true, note: "Both assets come back onto their trustlines.", params: { maxSlippageBps: slippage } }],
  default: "withdraw",
  required: false,
  answered
})

/** What the shares are worth of one side now, with its floor: a side that pays anything has a floor of at least one. */
const share = (reserve: bigint, { shares, totalShares }: PoolShare, slippage: number) => {
  const out = totalShares === 0n ? 0n : (reserve * shares) / totalShares
  const floor = floorOf(out, slippage)
  return stroops(out > 0n && floor === 0n ? 1n : floor)
}

/** Pool shares become their two assets; how much arrives is known only afterwards, so the amounts are read again. */
export const withdrawPoolShares: Step = function*({ holdings, situation: { input } }) {
  for (const held of holdings.poolShares) {
    const answer = input.answers.get(poolDecision(held.poolId))
    const slippage = answer?.params?.maxSlippageBps ?? input.maxSlippageBps
    const name = poolShareName(held.assetA, held.assetB)
    const withdrawal: Task = {
      type: "WITHDRAW_POOL_SHARES",
      title: `Withdraw from the pool of ${held.assetA} and ${held.assetB}`,
      description: "All shares are turned back into the two assets, and the share's own line goes.",
      entry: held.poolId,
      operations: [
        ...(held.shares === 0n ? [] : [{
          type: "liquidity_pool_withdraw" as const,
          source: holdings.address,
          poolId: held.poolId,
          shares: stroops(held.shares),
          minAmountA: share(held.reserveA, held, slippage),
          minAmountB: share(held.reserveB, held, slippage)
        }]),
        { type: "change_trust", source: holdings.address, asset: name, limit: stroops(0n) }
      ]
    }
    yield unit([withdrawal], { points: held.shares === 0n ? [] : [pointOf(held, slippage, answer !== undefined)], rereadAfter: true })
  }
}

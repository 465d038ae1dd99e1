import { xdr } from "@stellar/stellar-sdk"
import { withdrawalAmount, withReserves } from "../exchange/Pool.ts"
import { HeaderFlag } from "../Header.ts"
import { lineHolding, loadHolding } from "../Holding.ts"
import { fault } from "../LedgerFault.ts"
import { loadPool, loadPoolShare } from "../Loaded.ts"
import { type ApplyContext, defineOperation, type FailureName } from "../Operation.ts"

/** Gives shares of a pool back for its two assets. A line that may only maintain liabilities still receives. */
export const LiquidityPoolWithdraw = defineOperation({
  kind: "liquidityPoolWithdraw",
  codes: xdr.LiquidityPoolWithdrawResult,
  threshold: "medium",
  isSupported: (header) => (header.flags & HeaderFlag.disablePoolWithdrawal) === 0,
  check: ({ liquidityPoolWithdrawOp: { amount, minAmountA, minAmountB } }) =>
    amount <= 0n || minAmountA < 0n || minAmountB < 0n ? "malformed" : undefined,
  apply: ({ liquidityPoolWithdrawOp: op }, context) => {
    const { draft, frozen, source } = context
    const shareLine = loadPoolShare(draft, source, op.liquidityPoolId)
    if (shareLine === undefined) return "noTrust"
    const share = lineHolding(shareLine)
    if (share.available() < op.amount) return "underfunded"
    const pool = loadPool(draft, op.liquidityPoolId) ?? fault("the pool is missing")
    const { params, reserveA, reserveB, totalPoolShares } = pool.current.body.constantProduct
    if (frozen.hasTrustline(source, params.assetA) || frozen.hasTrustline(source, params.assetB)) {
      return "trustlineFrozen"
    }

    const amountA = withdrawalAmount(op.amount, totalPoolShares, reserveA)
    const amountB = withdrawalAmount(op.amount, totalPoolShares, reserveB)
    const refusal = receive(params.assetA, amountA, op.minAmountA, context) ?? receive(params.assetB, amountB, op.minAmountB, context)
    if (refusal !== undefined) return refusal
    if (!share.add(-op.amount)) fault("the pool shares are overdrawn")
    pool.set(withReserves(pool.current, { reserveA: -amountA, reserveB: -amountB, totalPoolShares: -op.amount }))
    return "success"
  }
})

const receive = (
  asset: xdr.Asset,
  amount: bigint,
  minimum: bigint,
  { draft, source }: ApplyContext
): FailureName<"liquidityPoolWithdraw"> | undefined => {
  if (amount < minimum) return "underMinimum"
  const holding = loadHolding(draft, source, asset) ?? fault("a trustline of the pool is missing")
  return holding.add(amount) ? undefined : "lineFull"
}

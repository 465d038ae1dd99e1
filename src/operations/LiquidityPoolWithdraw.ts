import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { toMuxed } from "../stellar/Names.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"
import { breach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** LIQUIDITY_POOL_WITHDRAW: shares back into their two assets, each with a floor. */
export const LiquidityPoolWithdraw: OperationDefinition<"liquidity_pool_withdraw"> = {
  type: "liquidity_pool_withdraw",
  level: "med",
  build: ({ source, poolId, shares, minAmountA, minAmountB }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.liquidityPoolWithdraw(
        new xdr.LiquidityPoolWithdrawOp({
          liquidityPoolId: xdr.PoolId.fromXdr(poolId, "hex"),
          amount: shares,
          minAmountA,
          minAmountB
        })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "liquidityPoolWithdraw") return null
    const { amount, liquidityPoolId, minAmountA, minAmountB } = body.liquidityPoolWithdrawOp
    if (amount <= 0n || minAmountA < 0n || minAmountB < 0n) return null
    return {
      type: "liquidity_pool_withdraw",
      source,
      poolId: xdrHex(liquidityPoolId),
      shares: stroops(amount),
      minAmountA: stroops(minAmountA),
      minAmountB: stroops(minAmountB)
    }
  },
  // Both assets come back to the account. One of them may be nothing only where the caller's own number says what the other must be.
  admits: ({ minAmountA, minAmountB, poolId }, { expected: { floors } }) => {
    const own = Object.hasOwn(floors, `pool:${poolId}`) ? floors[`pool:${poolId}`] : undefined
    const isEnough = own === undefined ? minAmountA > 0n && minAmountB > 0n : minAmountA >= own || minAmountB >= own
    return isEnough ? [] : breach("sale_floor", `Withdraws from the pool ${poolId} without a minimum for each of its assets.`)
  }
}

import { xdr } from "@stellar/stellar-sdk"
import { poolFee, poolIdOfPair, sameAsset } from "../Asset.ts"
import type { Draft } from "../Draft.ts"
import { HeaderFlag } from "../Header.ts"
import { ceilDivide, floorDivide, int64Max } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import { loadPool, peekPool } from "../Loaded.ts"
import type { Order } from "./Order.ts"

const basisPoints = 10_000n
const basisPointsAfterFee = basisPoints - BigInt(poolFee)

/** What a pool pays for exactly `sent`; undefined when it cannot, or would pay nothing. */
export const poolPayout = (reserveIn: bigint, reserveOut: bigint, sent: bigint): bigint | undefined => {
  if (reserveIn <= 0n || reserveOut <= 0n || sent > int64Max - reserveIn) return undefined
  const received = floorDivide(basisPointsAfterFee * reserveOut * sent, basisPoints * reserveIn + basisPointsAfterFee * sent)
  return received === 0n ? undefined : received
}

/** What a pool asks for exactly `received`; undefined when it cannot give that much. */
export const poolCharge = (reserveIn: bigint, reserveOut: bigint, received: bigint): bigint | undefined => {
  if (reserveIn <= 0n || reserveOut <= 0n || received >= reserveOut) return undefined
  const sent = ceilDivide(basisPoints * reserveIn * received, (reserveOut - received) * basisPointsAfterFee)
  return sent > int64Max - reserveIn ? undefined : sent
}

/** Amount of one reserve that so many shares stand for, rounded down. */
export const withdrawalAmount = (shares: bigint, totalShares: bigint, reserve: bigint): bigint => floorDivide(shares * reserve, totalShares)

export interface PoolTrade {
  readonly sent: bigint
  readonly received: bigint
  readonly atom: xdr.ClaimAtom
}

/** Whether there is a pool of the two assets of an order. */
export const hasPool = (draft: Draft, { sheep, wheat }: Order): boolean => peekPool(draft, poolIdOfPair(sheep, wheat)) !== undefined

/** Trades a whole hop of a path payment with the pool of its two assets; undefined when there is none that can. */
export const exchangeWithPool = (draft: Draft, { maxSheep, maxWheat, rounding, sheep, wheat }: Order): PoolTrade | undefined => {
  const isDisabled = (draft.header.flags & HeaderFlag.disablePoolTrading) !== 0
  if (isDisabled || rounding === "normal") return undefined
  const poolId = poolIdOfPair(sheep, wheat)
  const pool = loadPool(draft, poolId)
  if (pool === undefined) return undefined
  const product = pool.current.body.constantProduct
  const intoA = sameAsset(sheep, product.params.assetA)
  const [reserveIn, reserveOut] = intoA ? [product.reserveA, product.reserveB] : [product.reserveB, product.reserveA]
  const sent = rounding === "strictSend" ? maxSheep : poolCharge(reserveIn, reserveOut, maxWheat)
  const received = rounding === "strictSend" ? poolPayout(reserveIn, reserveOut, maxSheep) : maxWheat
  if (sent === undefined || received === undefined) return undefined
  pool.set(withReserves(pool.current, intoA ? { reserveA: sent, reserveB: -received } : { reserveA: -received, reserveB: sent }))
  const atom = xdr.ClaimAtom.claimAtomTypeLiquidityPool(
    new xdr.ClaimLiquidityAtom({
      liquidityPoolId: poolId,
      assetSold: wheat,
      amountSold: received,
      assetBought: sheep,
      amountBought: sent
    })
  )
  return { sent, received, atom }
}

/** What is added to the amounts of a pool; negative takes away. */
export interface PoolChange {
  readonly reserveA?: bigint
  readonly reserveB?: bigint
  readonly totalPoolShares?: bigint
  readonly poolSharesTrustLineCount?: bigint
}

/** The pool with its amounts changed; a fault when one leaves `0..INT64_MAX`. */
export const withReserves = (pool: xdr.LiquidityPoolEntry, change: PoolChange): xdr.LiquidityPoolEntry => {
  const product = pool.body.constantProduct
  const moved = (before: bigint, by: bigint | undefined): bigint => {
    const after = before + (by ?? 0n)
    return after < 0n || after > int64Max ? fault("a pool amount is out of range") : after
  }
  return new xdr.LiquidityPoolEntry({
    ...pool,
    body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
      new xdr.LiquidityPoolEntryConstantProduct({
        params: product.params,
        reserveA: moved(product.reserveA, change.reserveA),
        reserveB: moved(product.reserveB, change.reserveB),
        totalPoolShares: moved(product.totalPoolShares, change.totalPoolShares),
        poolSharesTrustLineCount: moved(product.poolSharesTrustLineCount, change.poolSharesTrustLineCount)
      })
    )
  })
}

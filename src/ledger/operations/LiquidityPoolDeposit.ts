import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "../Draft.ts"
import { withReserves } from "../exchange/Pool.ts"
import { HeaderFlag } from "../Header.ts"
import { type Holding, lineHolding, loadHolding } from "../Holding.ts"
import { ceilDivide, floorDivide, int64Max, minOf } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import { loadPool, loadPoolShare } from "../Loaded.ts"
import { defineOperation, type FailureName } from "../Operation.ts"

/** Puts both assets of a pool in, within a price range, for shares of it. */
export const LiquidityPoolDeposit = defineOperation({
  kind: "liquidityPoolDeposit",
  codes: xdr.LiquidityPoolDepositResult,
  threshold: "medium",
  isSupported: (header) => (header.flags & HeaderFlag.disablePoolDeposit) === 0,
  check: ({ liquidityPoolDepositOp: { maxAmountA, maxAmountB, maxPrice, minPrice } }) =>
    maxAmountA <= 0n ||
      maxAmountB <= 0n ||
      [minPrice.n, minPrice.d, maxPrice.n, maxPrice.d].some((part) => part <= 0) ||
      BigInt(minPrice.n) * BigInt(maxPrice.d) > BigInt(minPrice.d) * BigInt(maxPrice.n)
      ? "malformed"
      : undefined,
  apply: ({ liquidityPoolDepositOp: op }, { draft, frozen, source }) => {
    const shareLine = loadPoolShare(draft, source, op.liquidityPoolId)
    if (shareLine === undefined) return "noTrust"
    const pool = loadPool(draft, op.liquidityPoolId) ?? fault("the pool is missing")
    const product = pool.current.body.constantProduct
    const { assetA, assetB } = product.params
    const depositor: Depositor = {
      holdingA: requireHolding(draft, source, assetA),
      holdingB: requireHolding(draft, source, assetB),
      share: lineHolding(shareLine)
    }
    if (!depositor.holdingA.authorized || !depositor.holdingB.authorized) return "notAuthorized"
    if (frozen.hasTrustline(source, assetA) || frozen.hasTrustline(source, assetB)) {
      return "trustlineFrozen"
    }

    const deposit = product.totalPoolShares === 0n ? firstDeposit(op) : laterDeposit(op, product)
    const refusal = refusalOf(deposit, op, depositor, product)
    if (refusal !== undefined) return refusal
    settle(deposit, depositor)
    pool.set(
      withReserves(pool.current, {
        reserveA: deposit.amountA,
        reserveB: deposit.amountB,
        totalPoolShares: deposit.shares
      })
    )
    return "success"
  }
})

interface Deposit {
  readonly amountA: bigint
  readonly amountB: bigint
  readonly shares: bigint
}

/** What the source holds of both assets of the pool, and of the pool. */
interface Depositor {
  readonly holdingA: Holding
  readonly holdingB: Holding
  readonly share: Holding
}

const requireHolding = (draft: Draft, source: xdr.PublicKey, asset: xdr.Asset): Holding =>
  loadHolding(draft, source, asset) ?? fault("a trustline of the pool is missing")

/** The source's side of a deposit. */
const settle = ({ amountA, amountB, shares }: Deposit, { holdingA, holdingB, share }: Depositor): void => {
  if (!holdingA.add(-amountA) || !holdingB.add(-amountB)) fault("the source is overdrawn")
  if (!share.add(shares)) fault("the pool shares do not fit")
}

/** The first deposit takes all that is offered; shares are the geometric mean. */
const firstDeposit = ({ maxAmountA, maxAmountB }: xdr.LiquidityPoolDepositOp): Deposit => ({
  amountA: maxAmountA,
  amountB: maxAmountB,
  shares: squareRoot(maxAmountA * maxAmountB)
})

/** A later deposit takes both assets in the pool's own proportion, rounded in the pool's favour. */
const laterDeposit = (
  { maxAmountA, maxAmountB }: xdr.LiquidityPoolDepositOp,
  { reserveA, reserveB, totalPoolShares }: xdr.LiquidityPoolEntryConstantProduct
): Deposit => {
  const shares = minOf(floorDivide(totalPoolShares * maxAmountA, reserveA), floorDivide(totalPoolShares * maxAmountB, reserveB))
  return {
    amountA: ceilDivide(shares * reserveA, totalPoolShares),
    amountB: ceilDivide(shares * reserveB, totalPoolShares),
    shares
  }
}

const refusalOf = (
  { amountA, amountB, shares }: Deposit,
  { maxPrice, minPrice }: xdr.LiquidityPoolDepositOp,
  { holdingA, holdingB, share }: Depositor,
  { reserveA, reserveB, totalPoolShares }: xdr.LiquidityPoolEntryConstantProduct
): FailureName<"liquidityPoolDeposit"> | undefined => {
  if (holdingA.available() < amountA || holdingB.available() < amountB) return "underfunded"
  const isBadPrice = amountA === 0n ||
    amountB === 0n ||
    amountA * BigInt(minPrice.d) < amountB * BigInt(minPrice.n) ||
    amountA * BigInt(maxPrice.d) > amountB * BigInt(maxPrice.n)
  if (isBadPrice) return "badPrice"
  if (share.room() < shares) return "lineFull"
  const isFull = amountA > int64Max - reserveA || amountB > int64Max - reserveB || shares > int64Max - totalPoolShares
  return isFull ? "poolFull" : undefined
}

/** Integer square root of a positive number, rounded down. */
const squareRoot = (value: bigint): bigint => {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

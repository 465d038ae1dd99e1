import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asU128, asU32, field, i32, struct, symbol, u128, u32, vec } from "../../../ledger/soroban/Values.ts"
import { concentratedPlaneData } from "./ConcentratedPlane.ts"
import {
  poolReserves,
  poolTokens,
  positionVal,
  readPosition,
  readSlot,
  readUser,
  setPoolReserves,
  slotVal,
  tickSpacing,
  userVal
} from "./ConcentratedStore.ts"
import { swapThroughTicks } from "./ConcentratedSwap.ts"
import { depositPosition } from "./DepositPosition.ts"
import { amountAt, stored } from "./Instance.ts"
import { tellPlane } from "./Plane.ts"
import { ConcentratedError, PoolError } from "./PoolError.ts"
import { emitReserves } from "./PoolEvents.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import { afterPaying } from "./PositionChange.ts"
import { emitFees } from "./PositionEvents.ts"
import { withFees } from "./PositionFees.ts"
import type { Amounts, Range } from "./RangeAmounts.ts"
import { fullRange, requireRange } from "./Ranges.ts"
import { rewardFunctions } from "./RewardFunctions.ts"
import { reweigh, weightedHolder } from "./WeightedLiquidity.ts"
import { keepOrForget, payBoth, payoutOf, requireLiquidity, requirePosition, withdrawPosition } from "./WithdrawPosition.ts"

const sum = (parts: ReadonlyArray<Amounts>): Amounts =>
  parts.reduce<Amounts>((left, right) => [left[0] + right[0], left[1] + right[1]], [0n, 0n])

/** What a range is owed now; nothing where there is no position. */
const owedIn = (host: ContractHost, owner: xdr.ScAddress) => (range: Range): Amounts => {
  const position = readPosition(host, owner, range)
  return position === undefined ? [0n, 0n] : withFees(host, position, range, readSlot(host).tick).owed
}

/** What all ranges of an owner are owed now. */
const allFees = (host: ContractHost, owner: xdr.ScAddress): Amounts => sum(readUser(host, owner).ranges.map(owedIn(host, owner)))

/** Pays what all ranges of an owner are owed. */
const claimAllFees = (host: ContractHost, owner: xdr.ScAddress): Amounts => {
  host.requireAuth(owner)
  const { ranges } = readUser(host, owner)
  if (ranges.length === 0) return [0n, 0n]
  const paid = sum(ranges.map((range) => {
    const position = readPosition(host, owner, range)
    if (position === undefined) return [0n, 0n]
    const settled = withFees(host, position, range, readSlot(host).tick)
    keepOrForget(host, owner, range, settled)
    return settled.owed
  }))
  emitFees(host, owner, paid)
  const left = afterPaying(host, poolReserves(host), paid)
  payBoth(host, owner, paid)
  setPoolReserves(host, left)
  emitReserves(host, left)
  tellPlane(host, concentratedPlaneData(host))
  return paid
}

export const concentratedPoolHash = "78615290dd71f6284044938cb9ec523a032077882983b2b6b4449ad3207ac405"

const amountsVal = (amounts: Amounts): xdr.ScVal => vec(...amounts.map(u128))

const feeOf = (host: ContractHost): number => stored(host, concentratedKeys.fee, asU32)

/** Fees that are the protocol's, of both tokens. */
const protocolFees = (host: ContractHost): Amounts =>
  stored(host, concentratedKeys.protocolFees, (value) => [asU128(field(value, "token0")), asU128(field(value, "token1"))])

/** A position with its fees of now. */
const settledAt = (host: ContractHost, owner: xdr.ScAddress, range: Range) => {
  requireRange(host, range)
  return withFees(host, requirePosition(host, owner, range), range, readSlot(host).tick)
}

const estimateWithdrawal = contractFunction(["address", "i32", "i32", "u128"], (host, [owner, lower, upper, liquidity]) => {
  requireLiquidity(host, liquidity)
  const range = { lower, upper }
  const settled = settledAt(host, owner, range)
  if (settled.liquidity < liquidity) host.fail(ConcentratedError.insufficientLiquidity)
  const paid = payoutOf(host, settled, range, liquidity)
  if (poolReserves(host).some((held, at) => held < (paid[at] ?? 0n))) host.fail(PoolError.insufficientBalance)
  return amountsVal(paid)
})

/** What changes positions, or trades with them. */
const changes: Readonly<Record<string, ContractFunction>> = {
  withdraw_position: contractFunction(
    ["address", "i32", "i32", "u128", "vec"],
    (host, [owner, lower, upper, liquidity, minimums]) =>
      amountsVal(withdrawPosition(host, { owner, range: { lower, upper }, liquidity, minimums }))
  ),
  withdraw: contractFunction(["address", "u128", "vec"], (host, [owner, liquidity, minimums]) => {
    if (minimums.length !== 2) host.fail(PoolError.wrongVectorSize)
    return amountsVal(withdrawPosition(host, { owner, range: fullRange(tickSpacing(host)), liquidity, minimums }))
  }),
  deposit_position: contractFunction(["address", "i32", "i32", "vec", "u128"], (host, [owner, lower, upper, given, least]) => {
    const { liquidity, used } = depositPosition(host, { owner, range: { lower, upper }, given, least })
    return vec(amountsVal(used), u128(liquidity))
  }),
  deposit: contractFunction(["address", "vec", "u128"], (host, [owner, given, least]) => {
    const { liquidity, used } = depositPosition(host, { owner, range: fullRange(tickSpacing(host)), given, least })
    return vec(amountsVal(used), u128(liquidity))
  }),
  swap: contractFunction(
    ["address", "u32", "u32", "u128", "u128"],
    (host, [user, from, to, amount, least]) => u128(swapThroughTicks(host, { user, from, to, amount, least }))
  ),
  claim_all_position_fees: contractFunction(["address"], (host, [owner]) => amountsVal(claimAllFees(host, owner)))
}

const positionGetters: Readonly<Record<string, ContractFunction>> = {
  estimate_withdraw_position: estimateWithdrawal,
  get_position: contractFunction(
    ["address", "i32", "i32"],
    (host, [owner, lower, upper]) => positionVal(requirePosition(host, owner, { lower, upper }))
  ),
  get_position_fees: contractFunction(
    ["address", "i32", "i32"],
    (host, [owner, lower, upper]) => amountsVal(settledAt(host, owner, { lower, upper }).owed)
  ),
  get_all_position_fees: contractFunction(["address"], (host, [owner]) => amountsVal(allFees(host, owner))),
  get_user_position_snapshot: contractFunction(["address"], (host, [owner]) => userVal(readUser(host, owner), "ranges")),
  get_user_shares: contractFunction(["address"], (host, [owner]) => u128(readUser(host, owner).raw))
}

const poolGetters: Readonly<Record<string, ContractFunction>> = {
  pool_type: contractFunction([], () => symbol("concentrated")),
  share_id: contractFunction([], (host) => addressVal(host.address)),
  get_tokens: contractFunction([], (host) => vec(...poolTokens(host).map(addressVal))),
  get_reserves: contractFunction([], (host) => amountsVal(poolReserves(host))),
  get_total_shares: contractFunction([], (host) => u128(amountAt(host, concentratedKeys.rawLiquidity))),
  get_total_raw_liquidity: contractFunction([], (host) => u128(amountAt(host, concentratedKeys.rawLiquidity))),
  get_total_weighted_liquidity: contractFunction([], (host) => u128(amountAt(host, concentratedKeys.weightedLiquidity))),
  get_active_liquidity: contractFunction([], (host) => u128(amountAt(host, concentratedKeys.liquidity))),
  get_slot0: contractFunction([], (host) => slotVal(readSlot(host))),
  get_tick_spacing: contractFunction([], (host) => i32(tickSpacing(host))),
  get_fee_fraction: contractFunction([], (host) => u32(feeOf(host))),
  get_info: contractFunction(
    [],
    (host) => struct({ pool_type: symbol("concentrated"), fee: u32(feeOf(host)), tick_spacing: i32(tickSpacing(host)) })
  )
}

/** A pool whose liquidity works between ticks. Swaps for an exact amount, fees of single positions and administration are not modelled. */
export const concentratedPool: ContractModel = {
  instructions: 8_000_000,
  functions: {
    ...rewardFunctions({
      holder: (host, user) => {
        reweigh(host, user)
        return weightedHolder(host, user)
      },
      notedHolder: weightedHolder,
      claimKilled: concentratedKeys.claimKilled,
      claimNeedsAuth: true,
      kept: (host) => {
        const [reserves, fees] = [poolReserves(host), protocolFees(host)]
        return poolTokens(host).map((token, at) => ({ token, amount: (reserves[at] ?? 0n) + (fees[at] ?? 0n) }))
      }
    }),
    ...changes,
    ...positionGetters,
    ...poolGetters
  }
}

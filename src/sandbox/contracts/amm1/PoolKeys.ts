import { variant } from "../../../ledger/soroban/Values.ts"

/** What the instance of every kind of pool keeps, besides rewards. */
export const poolKeys = {
  router: variant("Router"),
  plane: variant("Plane"),
  swapKilled: variant("IsKilledSwap"),
  depositKilled: variant("IsKilledDeposit")
} as const

/** What pools keep whose shares are tokens. */
export const sharePoolKeys = {
  share: variant("TokenShare"),
  totalShares: variant("TotalShares"),
  claimKilled: variant("IsKilledClaim"),
  protocolFeeFraction: variant("ProtocolFeeFraction"),
  syncLedger: variant("ReservesSyncLedger")
} as const

export const constantProductKeys = {
  tokenA: variant("TokenA"),
  tokenB: variant("TokenB"),
  reserveA: variant("ReserveA"),
  reserveB: variant("ReserveB"),
  fee: variant("FeeFraction"),
  protocolFeeA: variant("ProtocolFeeA"),
  protocolFeeB: variant("ProtocolFeeB")
} as const

export const stableKeys = {
  tokens: variant("Tokens"),
  reserves: variant("Reserves"),
  decimals: variant("Decimals"),
  initialA: variant("InitialA"),
  initialATime: variant("InitialATime"),
  futureA: variant("FutureA"),
  futureATime: variant("FutureATime"),
  fee: variant("Fee"),
  protocolFees: variant("ProtocolFees")
} as const

export const concentratedKeys = {
  token0: variant("Token0"),
  token1: variant("Token1"),
  reserve0: variant("Reserve0"),
  reserve1: variant("Reserve1"),
  fee: variant("Fee"),
  tickSpacing: variant("TickSpacing"),
  slot0: variant("Slot0"),
  liquidity: variant("Liquidity"),
  feeGrowth0: variant("FeeGrowthGlobal0X128"),
  feeGrowth1: variant("FeeGrowthGlobal1X128"),
  protocolFees: variant("ProtocolFees"),
  protocolFeeFraction: variant("ProtocolFeeFraction"),
  lowestTick: variant("MinInitTick"),
  highestTick: variant("MaxInitTick"),
  rawLiquidity: variant("TotalRawLiquidity"),
  weightedLiquidity: variant("TotalWeightedLiquidity"),
  fullRangeLiquidity: variant("FullRangeLiquidity"),
  claimKilled: variant("ClaimKilled")
} as const

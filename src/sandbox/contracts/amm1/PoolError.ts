/** Numbers by which pools refuse. */
export const PoolError = {
  unauthorized: 102,
  invariant: 204,
  depositKilled: 205,
  swapKilled: 206,
  claimKilled: 207,
  maxIterations: 209,
  wrongVectorSize: 2001,
  allCoinsRequired: 2004,
  minimumNotMet: 2006,
  sameToken: 2007,
  inTokenOutOfBounds: 2008,
  outTokenOutOfBounds: 2009,
  emptyPool: 2010,
  invalidDeposit: 2011,
  zeroAmount: 2018,
  insufficientBalance: 2019
} as const

/** Numbers by which concentrated pools refuse. */
export const ConcentratedError = {
  invalidAmount: 2103,
  tickOutOfBounds: 2107,
  priceOutOfBounds: 2108,
  tickNotSpaced: 2109,
  ticksNotOrdered: 2110,
  lowerTooLow: 2111,
  upperTooHigh: 2112,
  positionNotFound: 2118,
  tooManyPositions: 2119,
  amountTooLarge: 2120,
  insufficientLiquidity: 2121,
  overflow: 2122,
  underflow: 2123
} as const

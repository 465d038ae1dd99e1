/** Error numbers of a pair that its model ends calls with. */
export const PairError = {
  alreadyInitialized: 101,
  notInitialized: 102,
  tokenOrder: 103,
  noDepositOfFirst: 104,
  noDepositOfSecond: 105,
  tooLittleAtFirst: 106,
  noSharesMinted: 107,
  noOutput: 108,
  negativeOutput: 109,
  moreThanReserves: 110,
  toItsToken: 111,
  noInput: 112,
  productFell: 114,
  noShares: 115,
  noSharesSent: 116,
  paysNothing: 117
} as const

/** Error numbers of the router that its model ends calls with. */
export const RouterError = {
  notInitialized: 501,
  negative: 502,
  deadline: 503,
  alreadyInitialized: 504,
  tooLittleOfFirst: 505,
  tooLittleOfSecond: 506,
  tooLittleOut: 507,
  noPair: 509,
  noAmount: 510,
  noLiquidity: 511,
  noInput: 512,
  invalidPath: 514,
  identicalTokens: 515
} as const

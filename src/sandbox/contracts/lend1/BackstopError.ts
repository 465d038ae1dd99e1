/** Error numbers of the backstop that its model ends calls with. */
export const BackstopError = {
  negativeAmount: 8,
  balance: 10,
  badRequest: 1000,
  notExpired: 1001,
  insufficientFunds: 1003,
  notPool: 1004,
  invalidShareMint: 1005,
  invalidTokenWithdraw: 1006,
  tooManyQueued: 1007,
  badDebtExists: 1011
} as const

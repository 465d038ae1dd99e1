/** Error numbers of the liquidity pool that its model ends calls with. */
export const CometError = {
  negative: 2,
  notBound: 9,
  onlyWithdrawals: 14,
  maxInRatio: 17,
  approximation: 18,
  limitIn: 19,
  limitOut: 20,
  maxOutRatio: 21,
  insufficientAllowance: 27,
  insufficientBalance: 29,
  underflow: 31,
  powerBaseTooLow: 34,
  powerBaseTooHigh: 35,
  invalidExpiration: 36,
  negativeOrZero: 37
} as const

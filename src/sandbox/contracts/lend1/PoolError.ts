/** Error numbers of pools that models of them end calls with. */
export const PoolError = {
  internal: 1,
  negativeAmount: 8,
  badRequest: 1200,
  invalidHealth: 1205,
  invalidPoolStatus: 1206,
  invalidUtilization: 1207,
  tooManyPositions: 1208,
  invalidPrice: 1210,
  auctionInProgress: 1212,
  invalidSupplyMint: 1216,
  invalidSupplyBurn: 1217,
  invalidDebtMint: 1218,
  invalidDebtBurn: 1219,
  supplyCapExceeded: 1220,
  reserveDisabled: 1223,
  collateralTooSmall: 1224
} as const

/** Error numbers of the contracts that are built into the host: `ContractError` of soroban-env. */
export const AssetError = {
  notSupported: 2,
  alreadyInitialized: 3,
  authentication: 5,
  accountMissing: 6,
  negativeAmount: 8,
  allowance: 9,
  balance: 10,
  balanceDeauthorized: 11,
  overflow: 12,
  trustlineMissing: 13,
  insufficientAccountReserve: 14,
  tooManySubEntries: 15
} as const

/** Error numbers of the factory of pairs that its model ends calls with. */
export const FactoryError = {
  notInitialized: 201,
  identicalTokens: 202,
  pairExists: 203,
  alreadyInitialized: 204,
  noPair: 205,
  noIndex: 206
} as const

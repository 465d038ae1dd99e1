/**
 * Fields of requests that came after the first version of this API, by where they stand: a client that may meet an older service asks
 * `GET /` before it sends them, since fields that do not exist are refused.
 */
export const features = [
  "request.mergeHash",
  "request.accept",
  "request.entries",
  "batch.maxSlippageBps",
  "batch.feePayer",
  "batch.validForSeconds",
  "params.amount",
  "params.sequence",
  "params.maxResourceFee",
  "params.maxCount",
  "params.atLeast",
  "params.ledger",
  "params.maxLumensEach",
  "params.contracts",
  "params.gap"
] as const

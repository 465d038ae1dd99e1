/**
 * Fields of requests that came after the first version of this API, by where they stand: a client that may meet an older service asks
 * `GET /` before it sends them, since fields that do not exist are refused.
 */
export const features = [
  "request.mergeHash",
  "request.accept",
  "request.entries",
  "request.smallEnvelopes",
  "batch.maxSlippageBps",
  "batch.feePayer",
  "batch.smallEnvelopes",
  "batch.validForSeconds",
  "params.amount",
  "params.acceptPriceImpactBps",
  "params.sequence",
  "params.maxResourceFee",
  "params.maxCount",
  "params.unreadable",
  "params.atLeast",
  "params.ledger",
  "params.had",
  "params.ids",
  "params.maxLumensEach",
  "params.contracts",
  "params.gap",
  "key.label",
  "key.expiresAt",
  "rotation.graceSeconds"
] as const

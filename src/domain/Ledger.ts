import { Schema } from "effect"

/** The number of a closed ledger. */
export const LedgerSequence = Schema.Int.pipe(Schema.nonNegative(), Schema.brand("LedgerSequence")).annotations({
  identifier: "LedgerSequence",
  description: "Ledger number."
})
export type LedgerSequence = typeof LedgerSequence.Type

/** A transaction hash: 64 lower-case hex characters. */
export const TransactionHash = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/), Schema.brand("TransactionHash")).annotations({
  identifier: "TransactionHash",
  description: "Transaction hash, 64 lower-case hex characters."
})
export type TransactionHash = typeof TransactionHash.Type

/** A liquidity pool id: 64 lower-case hex characters, without the L prefix. */
export const PoolId = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/), Schema.brand("PoolId")).annotations({
  identifier: "PoolId",
  description: "Liquidity pool id, 64 hex characters."
})
export type PoolId = typeof PoolId.Type

/** A claimable balance id: eight zeros (the type) and a 64-character hash, hex. */
export const BalanceId = Schema.String.pipe(Schema.pattern(/^0{8}[0-9a-f]{64}$/), Schema.brand("BalanceId")).annotations({
  identifier: "BalanceId",
  description: "Claimable balance id: eight zeros followed by a 64-character hash, hex."
})
export type BalanceId = typeof BalanceId.Type

import { Schema } from "effect"
import { Int, textLeaf } from "./Leaf.ts"

/** Seconds from one ledger to the next on the public network, about. */
export const ledgerSeconds = 5

/** The number of a closed ledger. */
export const LedgerSequence = Int.pipe(Schema.nonNegative(), Schema.brand("LedgerSequence")).annotations({
  identifier: "LedgerSequence",
  description: "Ledger number."
})
export type LedgerSequence = typeof LedgerSequence.Type

/** A transaction hash: 64 lower-case hex characters. */
export const TransactionHash = textLeaf("TransactionHash", {
  pattern: "^[0-9a-f]{64}$",
  description: "Transaction hash, 64 lower-case hex characters."
})
export type TransactionHash = typeof TransactionHash.Type

/** A liquidity pool id: 64 lower-case hex characters, without the L prefix. */
export const PoolId = textLeaf("PoolId", { pattern: "^[0-9a-f]{64}$", description: "Liquidity pool id, 64 hex characters." })
export type PoolId = typeof PoolId.Type

/** A claimable balance id: eight zeros (the type) and a 64-character hash, hex. */
export const BalanceId = textLeaf("BalanceId", {
  pattern: "^0{8}[0-9a-f]{64}$",
  description: "Claimable balance id: eight zeros followed by a 64-character hash, hex."
})
export type BalanceId = typeof BalanceId.Type

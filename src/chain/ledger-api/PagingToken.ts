// The ledger API orders transactions by one number: the ledger, and in its lower 32 bits the place in that ledger.

/** The paging token of a transaction, by its place in a ledger from 1 on. With place 0 it stands before all transactions of the ledger. */
export const pagingToken = (ledger: number, place: number): bigint => (BigInt(ledger) << 32n) | (BigInt(place) << 12n)

/** The paging token after everything of a ledger: the first of the next one. */
export const tokenAfter = (ledger: number): bigint => pagingToken(ledger + 1, 0)

/** The ledger of a paging token. */
export const ledgerOfToken = (token: bigint): number => Number(token >> 32n)

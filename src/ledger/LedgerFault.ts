/**
 * A state the protocol holds impossible, met while applying a transaction.
 * The transaction ends in `txINTERNAL_ERROR`; outside of one it is a defect of the caller's ledger.
 */
export class LedgerFault extends Error {
  override readonly name = "LedgerFault"
}

export const fault = (fact: string): never => {
  throw new LedgerFault(fact)
}

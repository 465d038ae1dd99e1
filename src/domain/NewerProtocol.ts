/** That a ledger's protocol is newer than the one the ledger model knows, in words; null where it is not. */
export const newerProtocol = (ledgerVersion: number, model: number): string | null =>
  ledgerVersion > model ? `ledger protocol ${ledgerVersion} is newer than the model (${model})` : null

/** The methods of the contract RPC. */
export const RPC_METHOD_NAMES = [
  "getEvents",
  "getFeeStats",
  "getHealth",
  "getLatestLedger",
  "getLedgerEntries",
  "getLedgers",
  "getNetwork",
  "getTransaction",
  "getTransactions",
  "getVersionInfo",
  "sendTransaction",
  "simulateTransaction"
] as const

export type RpcMethodName = (typeof RPC_METHOD_NAMES)[number]

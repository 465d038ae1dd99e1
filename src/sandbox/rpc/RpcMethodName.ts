/** The methods of the contract RPC. */
export const rpcMethodNames = [
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

export type RpcMethodName = (typeof rpcMethodNames)[number]

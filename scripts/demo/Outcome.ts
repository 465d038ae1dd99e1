import { Horizon, NotFoundError, rpc, type Transaction } from "@stellar/stellar-sdk"

/** Where the ledger itself is asked, past the service. */
export interface LedgerAccess {
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
}

/** A conversion as the ledger applied it. */
export interface ConversionOutcome {
  readonly asset: string
  readonly sent: string
  readonly floor: string
  readonly received: bigint
}

/** What a transaction did, by its result on the ledger. */
export interface TransactionOutcome {
  readonly feeStroops: bigint
  readonly conversions: ReadonlyArray<ConversionOutcome>
}

const allowHttp = { allowHttp: true }

/** Lumens of an account in stroops; null when there is no such account. */
export const lumensOf = async ({ ledgerApiUrl }: LedgerAccess, address: string): Promise<bigint | null> => {
  try {
    const account = await new Horizon.Server(ledgerApiUrl, allowHttp).loadAccount(address)
    const native = account.balances.find(({ asset_type }) => asset_type === "native")
    return BigInt((native?.balance ?? "0").replace(".", ""))
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Reads the result of a transaction from the contract RPC. */
export const outcomeOf = async ({ rpcUrl }: LedgerAccess, transaction: Transaction, hash: string): Promise<TransactionOutcome> => {
  const found = await new rpc.Server(rpcUrl, allowHttp).getTransaction(hash)
  if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the ledger says ${found.status} of ${hash}`)
  const { feeCharged, result } = found.resultXdr
  if (result.type !== "txSuccess") throw new Error(`the ledger says ${result.type} of ${hash}`)
  const conversions = transaction.operations.flatMap((operation, index) => {
    const applied = result.results[index]
    if (operation.type !== "pathPaymentStrictSend" || applied?.type !== "opInner" || applied.tr.type !== "pathPaymentStrictSend") return []
    const outcome = applied.tr.pathPaymentStrictSendResult
    const received = outcome.type === "pathPaymentStrictSendSuccess" ? outcome.success.last.amount : 0n
    return [{ asset: operation.sendAsset.getCode(), sent: operation.sendAmount, floor: operation.destMin, received }]
  })
  return { feeStroops: feeCharged, conversions }
}

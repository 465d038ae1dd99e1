import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { addressOf } from "../../support/World.ts"

/** The operation that calls a contract. */
export const operationOf = (
  contractAddress: xdr.ScAddress,
  functionName: string,
  args: ReadonlyArray<xdr.ScVal> = [],
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []
): xdr.InvokeHostFunctionOp =>
  new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(
      new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...args] })
    ),
    auth: [...auth]
  })

/** An unsigned transaction of operations without sources of their own; `fields` sets what differs. */
export const transactionOf = (
  source: Keypair,
  bodies: ReadonlyArray<xdr.OperationBody>,
  ext: xdr.TransactionExt,
  fields: {
    readonly sourceAccount?: xdr.MuxedAccount
    readonly operationSource?: xdr.MuxedAccount
    readonly fee?: number
    readonly memo?: xdr.Memo
  } = {}
): xdr.Transaction =>
  new xdr.Transaction({
    sourceAccount: fields.sourceAccount ?? addressOf(source),
    fee: fields.fee ?? 100,
    seqNum: 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: fields.memo ?? xdr.Memo.memoNone(),
    operations: bodies.map((body) => new xdr.Operation({ sourceAccount: fields.operationSource ?? null, body })),
    ext
  })

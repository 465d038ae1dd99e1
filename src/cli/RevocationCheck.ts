import { Address, scValToNative, Transaction, TransactionBuilder, type xdr } from "@stellar/stellar-sdk/base"
import { lumen } from "../domain/Amount.ts"

/** An allowance that is to be ended. */
export interface Revocation {
  readonly owner: string
  readonly token: string
  readonly spender: string
}

/** The most that a revocation may cost, in stroops. */
const feeCap = 6n * lumen

type Operation = Transaction["operations"][number]

/** Leave of the transaction's own account, for nothing below the call. */
const isAlone = (auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>): boolean =>
  auth.every(({ credentials, rootInvocation }) =>
    credentials.type === "sorobanCredentialsSourceAccount" && rootInvocation.subInvocations.length === 0
  )

/** The call `approve(owner, spender, 0, 0)` of the token, with leave for that call alone. */
const isApproval = (operation: Operation | undefined, { owner, spender, token }: Revocation): boolean => {
  if (operation?.type !== "invokeHostFunction" || operation.func.type !== "hostFunctionTypeInvokeContract") return false
  const { args, contractAddress, functionName } = operation.func.invokeContract
  const [from, to, amount, until] = args.map((one): unknown => scValToNative(one))
  const isCall = Address.fromScAddress(contractAddress).toString() === token && String(functionName) === "approve" && args.length === 4
  const isEnd = from === owner && to === spender && amount === 0n && until === 0
  return isCall && isEnd && isAlone(operation.auth ?? [])
}

/** Why a transaction is not the revocation that you want; null: it is. */
export const revocationProblem = (envelope: string, passphrase: string, asked: Revocation): string | null => {
  const transaction = TransactionBuilder.fromXdr(envelope, passphrase)
  if (!(transaction instanceof Transaction)) return "it is a fee bump"
  if (transaction.source !== asked.owner) return "it is that of another account"
  const [operation, ...more] = transaction.operations
  if (operation?.source !== undefined && operation.source !== asked.owner) return "it acts for another account"
  if (more.length > 0 || !isApproval(operation, asked)) return "it does something else"
  if (BigInt(transaction.fee) > feeCap) return `it costs more than ${Number(feeCap / lumen)} lumens`
  return transaction.signatures.length > 0 ? "it carries signatures already" : null
}

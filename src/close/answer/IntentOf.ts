import type { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { AccountAddress, type ContractAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import type { DestinationAddress } from "../../domain/DestinationAddress.ts"
import type { Intent, ShownOperation } from "../../domain/Intent.ts"
import { type ContractCall, invocationOf } from "../../operations/ContractCall.ts"
import { type AnyOperation, decodeAll } from "../../operations/ContractOperations.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import { memoOf } from "../../stellar/MemoOf.ts"

const isAccount = Schema.is(AccountAddress)

/** Whom one operation pays, beside the account itself. A token is paid by a call of its contract: `transfer(from, to, amount)`. */
const paidBy = (operation: AnyOperation): ReadonlyArray<DestinationAddress> => {
  switch (operation.type) {
    case "payment":
      return [operation.destination]
    case "path_payment_strict_send":
    case "path_payment_strict_receive":
      return operation.destination === operation.source ? [] : [operation.destination]
    case "invoke_contract": {
      const [, to] = operation.args
      return operation.function === "transfer" && operation.args.length === 3 && isAccount(to) ? [to] : []
    }
    default:
      return []
  }
}

const paid = (operations: ReadonlyArray<AnyOperation>): ReadonlyArray<DestinationAddress> => [...new Set(operations.flatMap(paidBy))]

/** An operation as the wire tells it: whose it is, only where that is not the account itself. */
const shownOperation = (operation: AnyOperation, account: AccountAddress): ShownOperation => {
  if (operation.source !== account) return operation
  const { source: _, ...own } = operation
  return own
}

/** Lumens that a sale through contracts pays at least, where the envelope makes this very call. */
const leastOfCall = ({ operations }: xdr.Transaction, call: ContractCall | null, lumens: ContractAddress): bigint => {
  const [body] = operations.map((operation) => operation.body)
  const host = body?.type === "invokeHostFunction" ? body.invokeHostFunctionOp.hostFunction : null
  if (call?.least?.token !== lumens || host?.type !== "hostFunctionTypeInvokeContract") return 0n
  return host.invokeContract.toXdr("base64") === invocationOf(call).toXdr("base64") ? call.least.amount : 0n
}

/**
 * What an envelope does, decoded from the envelope itself and not from what it was built of, but for its label; of a call its protocol told
 * what it promises (`call`, null: it is none). A foreign operation is a defect.
 */
export const intentOf = (
  envelope: xdr.TransactionEnvelope,
  source: AccountAddress,
  { call, label, passphrase }: {
    readonly call: ContractCall | null
    readonly label: Pick<Intent, "expects" | "summary">
    readonly passphrase: string
  }
): Intent => {
  if (envelope.type !== "envelopeTypeTx") throw new Error("only plain transactions are built")
  const { tx } = envelope.v1
  const operations = decodeAll(tx, source).map((decoded, index) => {
    if (decoded === null) throw new Error(`an operation the service never builds: ${tx.operations[index]?.body.type}`)
    return decoded
  })
  const merge = operations.find((operation) => operation.type === "account_merge")
  const floors = operations.reduce((sum, operation) => (operation.type === "path_payment_strict_send" ? sum + operation.destMin : sum), 0n)
  const sold = leastOfCall(tx, call, assetContract(native, passphrase))
  return {
    ...label,
    source,
    feeStroops: tx.fee.toString(),
    memo: memoOf(tx.memo),
    guarantees: {
      mergeDestination: merge?.destination ?? null,
      paymentsOnlyTo: paid(operations),
      minLumensFromConversions: stroops(floors + sold)
    },
    operations: operations.map((operation) => shownOperation(operation, source))
  }
}

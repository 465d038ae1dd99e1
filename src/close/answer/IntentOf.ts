import type { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { AssetId, issued } from "../../domain/Asset.ts"
import type { Intent } from "../../domain/Intent.ts"
import { type AnyOperation, decodeAll, describe } from "../../operations/ContractOperations.ts"
import { memoOf } from "../../stellar/MemoOf.ts"

const isAsset = Schema.is(AssetId)

const issuerOf = (asset: string): string | null => (isAsset(asset) ? issued(asset)?.issuer ?? null : null)

const isAccount = Schema.is(AccountAddress)

/** Whom one operation pays, beside the account itself. A token is paid by a call of its contract: `transfer(from, to, amount)`. */
const paidBy = (operation: AnyOperation): ReadonlyArray<AccountAddress> => {
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

const paid = (operations: ReadonlyArray<AnyOperation>): ReadonlyArray<AccountAddress> => [...new Set(operations.flatMap(paidBy))]

const summaryOf = (operations: ReadonlyArray<AnyOperation>): string => {
  const merge = operations.find((operation) => operation.type === "account_merge")
  const alone = operations.find((operation) => operation.type === "invoke_contract" || operation.type === "restore_footprint")
  if (alone !== undefined) return describe(alone)
  const burns = operations.filter((operation) => operation.type === "payment" && issuerOf(operation.asset) === operation.destination).length
  const parts = [
    `${operations.length} operation${operations.length === 1 ? "" : "s"}`,
    ...(burns === 0 ? [] : [`${burns} balance${burns === 1 ? "" : "s"} given back to the issuer`]),
    ...(merge === undefined ? [] : [describe(merge)])
  ]
  return parts.join("; ")
}

/** What an envelope does, decoded from the envelope itself and not from what it was built of. A foreign operation is a defect. */
export const intentOf = (envelope: xdr.TransactionEnvelope, source: AccountAddress): Intent => {
  if (envelope.type !== "envelopeTypeTx") throw new Error("only plain transactions are built")
  const { tx } = envelope.v1
  const operations = decodeAll(tx, source).map((decoded, index) => {
    if (decoded === null) throw new Error(`an operation the service never builds: ${tx.operations[index]?.body.type}`)
    return decoded
  })
  const merge = operations.find((operation) => operation.type === "account_merge")
  const floors = operations.reduce((sum, operation) => (operation.type === "path_payment_strict_send" ? sum + operation.destMin : sum), 0n)
  return {
    summary: summaryOf(operations),
    source,
    feeStroops: tx.fee.toString(),
    memo: memoOf(tx.memo),
    guarantees: {
      mergeDestination: merge?.destination ?? null,
      paymentsOnlyTo: paid(operations),
      minLumensFromConversions: stroops(floors)
    },
    operations
  }
}

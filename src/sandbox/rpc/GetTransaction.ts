import { Effect, Option, Schema } from "effect"
import { ledgerRange } from "./LedgerRange.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"
import { transactionInfo, transactionStatus } from "./TransactionInfo.ts"

/** `getTransaction`: `NOT_FOUND` says only that no ledger within the retention window holds it. */
export const getTransaction = readingMethod(
  "getTransaction",
  Schema.Struct({ hash: Schema.String, ...xdrFormat }),
  Effect.fnUntraced(function*(chain, { hash }) {
    if (hash.length !== 64) {
      return yield* RpcFault.invalidParams(`unexpected hash length (${hash.length})`)
    }
    if (!/^[0-9a-fA-F]{64}$/.test(hash)) return yield* RpcFault.invalidParams("incorrect hash: not hex")
    const found = chain.history.transaction(hash.toLowerCase())
    return {
      ...ledgerRange(chain),
      txHash: hash,
      ...Option.match(found, {
        onNone: () => ({
          status: "NOT_FOUND",
          applicationOrder: 0,
          feeBump: false,
          events: {},
          ledger: 0,
          createdAt: "0"
        }),
        onSome: (record) => ({
          status: transactionStatus(record),
          ...transactionInfo(record),
          createdAt: record.closeTime.toString()
        })
      })
    }
  })
)

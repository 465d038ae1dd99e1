import { Effect, Option } from "effect"
import { pageSize } from "../../chain/ledger-api/Page.ts"
import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { checkedUntil } from "./CheckedUntil.ts"

/** How much is read where little or nothing is new. */
const shortPage = 10

/** Reads the transactions of an account that were not looked at yet: at first the newest 200 that the setting does not cover, then later ones. */
export const uncheckedTransactions = Effect.gen(function*() {
  const api = yield* LedgerApi
  const { network } = yield* NetworkSettings
  const checked = Option.getOrNull(yield* checkedUntil(network))

  const first = Effect.fnUntraced(function*(address: AccountAddress) {
    const { records } = yield* api.laterTransactions(address, 0n, { limit: pageSize })
    const at = records.findIndex(({ hash }) => hash === checked)
    return { unchecked: (at < 0 ? records : records.slice(0, at)).toReversed(), newest: records[0]?.pagingToken ?? null }
  })

  const later = Effect.fnUntraced(function*(address: AccountAddress, after: bigint) {
    const found: Array<TransactionRecord | UnreadableRecord> = []
    let page = yield* api.laterTransactions(address, after, { limit: shortPage })
    found.push(...page.records)
    for (let oldest = found.at(-1); !page.complete && oldest !== undefined; oldest = found.at(-1)) {
      page = yield* api.laterTransactions(address, after, { before: oldest.pagingToken, limit: pageSize })
      found.push(...page.records)
    }
    return { unchecked: found.toReversed(), newest: found[0]?.pagingToken ?? after }
  })

  /** The oldest first, and the token of the newest that is known; null: there is none yet. */
  return (address: AccountAddress, after: bigint | null) => (after === null ? first(address) : later(address, after))
})

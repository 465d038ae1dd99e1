import { xdr } from "@stellar/stellar-sdk"
import { withFields } from "../../../src/ledger/entries/Account.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import type { Lie } from "./Sources.ts"

/** Changes an account's entry in the answers of an endpoint, which may say that its newest ledger changed it; null: it has none. */
const changing =
  (address: string, change: (account: xdr.AccountEntry) => xdr.AccountEntry | null, isNew = false): Lie => (method, result) => {
    if (method !== "getLedgerEntries") return result
    const entries = (result["entries"] ?? []) as ReadonlyArray<{ readonly key: string; readonly xdr: string }>
    const key = accountKey(address).toXdr("base64")
    if (!entries.some((entry) => entry.key === key)) return result
    return {
      ...result,
      entries: entries.flatMap((entry) => {
        const data = xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")
        if (entry.key !== key || data.type !== "account") return [entry]
        const changed = change(data.account)
        if (changed === null) return []
        const at = isNew ? { lastModifiedLedgerSeq: result["latestLedger"] } : {}
        return [{ ...entry, ...at, xdr: xdr.LedgerEntryData.account(changed).toXdr("base64") }]
      })
    }
  }

const oneLess = (account: xdr.AccountEntry) => withFields(account, { balance: account.balance - 1_0000000n })

/** Reports one lumen less for an account, and nothing else. */
export const lessLumens = (address: string): Lie => changing(address, oneLess)

/** The same, as if its newest ledger had taken the lumen. */
export const lessSince = (address: string): Lie => changing(address, oneLess, true)

/** Leaves an account out. */
export const withoutAccount = (address: string): Lie => changing(address, () => null)

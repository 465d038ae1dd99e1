import type { xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import { idOf, idOfEntry } from "../../ledger/EntryId.ts"
import { addressOf } from "../AssetName.ts"
import type { TransactionFacts } from "./TransactionFacts.ts"

/** What became of one entry. */
export interface EntryChange {
  readonly before: xdr.LedgerEntry["data"] | undefined
  readonly after: xdr.LedgerEntry["data"] | undefined
}

/** The changes of an operation, entry by entry, in the order they were first touched. */
export const entryChanges = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<EntryChange> => {
  const turns = new Map<string, EntryChange>()
  const end = (id: string, after: EntryChange["after"]) => turns.set(id, { before: turns.get(id)?.before, after })
  for (const change of changes) {
    switch (change.type) {
      case "ledgerEntryState": {
        const id = idOfEntry(change.state)
        if (!turns.has(id)) turns.set(id, { before: change.state.data, after: change.state.data })
        break
      }
      case "ledgerEntryCreated":
        end(idOfEntry(change.created), change.created.data)
        break
      case "ledgerEntryUpdated":
        end(idOfEntry(change.updated), change.updated.data)
        break
      case "ledgerEntryRestored":
        end(idOfEntry(change.restored), change.restored.data)
        break
      case "ledgerEntryRemoved":
        end(idOf(change.removed), undefined)
        break
    }
  }
  return [...turns.values()]
}

const balanceOf = (data: EntryChange["before"], account: string): bigint =>
  data?.type === "account" && addressOf(data.account.accountId) === account ? data.account.balance : 0n

const gained = (account: string, changes: ReadonlyArray<xdr.LedgerEntryChange>): bigint =>
  entryChanges(changes).reduce((sum, { after, before }) => sum + balanceOf(after, account) - balanceOf(before, account), 0n)

/** What a transaction was charged before the ledger's transactions applied and got back after them, in stroops. */
export const chargedFees = (
  { feeSource }: Pick<TransactionFacts, "feeSource">,
  { meta }: Pick<AppliedTransaction, "meta">
): { readonly charged: bigint; readonly refunded: bigint } => ({
  charged: -gained(feeSource, meta.feeChanges),
  refunded: gained(feeSource, meta.postFeeChanges)
})
